package dev.ovation.webhook;

import dev.ovation.entity.Ids;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;
import dev.ovation.webhook.Webhook.Target;
import dev.ovation.webhook.send.WebhookUrl;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.net.UnknownHostException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/** Reads requests for webhooks. */
final class WebhookRequest {

    private static final String ID = "[A-Za-z0-9._-]{1,64}";
    private static final int DEFAULT_MAX = 100;
    private static final int MOST_CHANGES = 1000;
    private static final int DEFAULT_DELAY = 500;
    private static final int LONGEST_DELAY = 10_000;
    private static final int MOST_ITEMS = 100;
    private static final List<Long> MILESTONES =
            List.of(10L, 100L, 1_000L, 10_000L, 100_000L, 1_000_000L);

    private WebhookRequest() {}

    static String id(QueryString query, RequestViolations violations) {
        String id = query.text("webhook_id");
        if (id == null) {
            violations.add("webhook_id", "is missing");
        } else if (!id.matches(ID)) {
            violations.add(
                    "webhook_id", "must be 1 to 64 letters, digits, dots, underscores or hyphens");
        }
        return String.valueOf(id);
    }

    /** Reads a time in microseconds since 1970; null when it is absent. */
    static @Nullable Long from(QueryString query, RequestViolations violations) {
        String text = query.nonEmpty("from");
        if (text == null) {
            return null;
        }
        try {
            Instant from = OffsetDateTime.parse(text).toInstant();
            return ChronoUnit.MICROS.between(Instant.EPOCH, from);
        } catch (DateTimeException | ArithmeticException e) {
            violations.add("from", "must be a time as 2025-11-21T10:00:00Z");
            return null;
        }
    }

    static Target target(JsonBody body, boolean allowPrivate, RequestViolations violations) {
        String url = url(body, allowPrivate, violations);
        List<String> namespaces =
                list(body, "namespaces", JsonNode::isString, JsonNode::stringValue, violations);
        if (namespaces != null && !namespaces.stream().allMatch(Ids::isNamespace)) {
            violations.add("namespaces", "must be ids of namespaces");
        }
        List<String> kinds =
                list(body, "kinds", JsonNode::isString, JsonNode::stringValue, violations);
        if (kinds == null || kinds.isEmpty() || !CloudEvents.KINDS.containsAll(kinds)) {
            violations.add("kinds", "must be some of " + String.join(", ", CloudEvents.KINDS));
        }
        List<Long> milestones = milestones(body, kinds, violations);
        JsonBody batch = batch(body, violations);
        return new Target(
                url,
                namespaces == null ? null : namespaces.stream().distinct().toList(),
                kinds == null ? List.of() : kinds.stream().distinct().toList(),
                milestones,
                number(batch, "max", 1, MOST_CHANGES, DEFAULT_MAX, violations),
                number(batch, "delay_ms", 0, LONGEST_DELAY, DEFAULT_DELAY, violations));
    }

    private static String url(JsonBody body, boolean allowPrivate, RequestViolations violations) {
        String text = body.text("url", violations);
        if (text == null) {
            violations.add("url", "is missing");
            return "";
        }
        try {
            if (WebhookUrl.of(text, allowPrivate).allowed(allowPrivate) == null) {
                violations.add("url", "has a host with a loopback, private or reserved address");
            }
        } catch (IllegalArgumentException e) {
            violations.add("url", String.valueOf(e.getMessage()));
        } catch (UnknownHostException e) {
            return text; // an attempt says so
        }
        return text;
    }

    private static List<Long> milestones(
            JsonBody body, @Nullable List<String> kinds, RequestViolations violations) {
        List<Long> given =
                list(
                        body,
                        "milestones",
                        node -> node.canConvertToLong() && node.longValue() > 0,
                        JsonNode::longValue,
                        violations);
        if (kinds == null || !kinds.contains(CloudEvents.MILESTONE)) {
            return List.of();
        }
        return given == null ? MILESTONES : given.stream().distinct().sorted().toList();
    }

    private static JsonBody batch(JsonBody body, RequestViolations violations) {
        JsonNode batch = body.member("batch");
        if (batch != null && !batch.isObject()) {
            violations.add("batch", "must be an object");
        }
        return new JsonBody(
                batch != null && batch.isObject() ? batch : JsonNodeFactory.instance.objectNode(),
                "batch.");
    }

    private static int number(
            JsonBody body,
            String name,
            int least,
            int most,
            int otherwise,
            RequestViolations violations) {
        return Objects.requireNonNullElse(body.number(name, least, most, violations), otherwise);
    }

    /** Reads a list of at most 100 items; null when it is absent or malformed. */
    private static <T> @Nullable List<T> list(
            JsonBody body,
            String name,
            Predicate<JsonNode> isItem,
            Function<JsonNode, T> item,
            RequestViolations violations) {
        JsonNode value = body.member(name);
        if (value == null) {
            return null;
        }
        if (!value.isArray() || value.size() > MOST_ITEMS) {
            violations.add(name, "must be a list of at most %d items".formatted(MOST_ITEMS));
            return null;
        }
        var items = new ArrayList<T>();
        for (JsonNode node : value) {
            if (!isItem.test(node)) {
                violations.add(name, "has an item of another form");
                return null;
            }
            items.add(item.apply(node));
        }
        return items;
    }
}
