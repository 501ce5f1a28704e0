package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Erasures;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;
import dev.ovation.testing.WebhookMessage;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** {@code /webhooks}: both instances send to a receiver. */
class WebhooksApiTest extends ApiFixture {

    private final String namespace = "hooks-" + entity;
    private final String hook = "hook-" + entity;
    private final Receiver receiver = new Receiver();

    @BeforeEach
    void aNamespaceOfItsOwn() {
        configure(TestRules.shared().namespace(namespace, 3, "👍", "👎", "❤️"));
        Wait.until(
                "the other instance has the namespace",
                () -> read(other, namespace).status() == 200);
    }

    @AfterEach
    void stop() {
        service.send("DELETE", "/webhooks?webhook_id=" + hook, null);
        receiver.close();
    }

    private Answer put(Instance instance, Map<String, Object> more) {
        var body = new LinkedHashMap<String, Object>();
        body.put("url", receiver.url());
        body.put("namespaces", List.of(namespace));
        body.put("kinds", List.of("changed"));
        body.put("batch", Map.of("max", 7, "delay_ms", 20));
        body.putAll(more);
        return instance.send(
                "PUT",
                "/webhooks?webhook_id=" + hook,
                JsonMapper.shared().writeValueAsString(body));
    }

    /** Creates the webhook and returns its secret. */
    private String created(Map<String, Object> more) {
        Answer answer = put(service, more);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return text(answer.json(), "secret");
    }

    private JsonNode state() {
        return other.get("/webhooks")
                .json()
                .get("webhooks")
                .valueStream()
                .filter(each -> text(each, "webhook_id").equals(hook))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode awaitState(String what, java.util.function.Predicate<JsonNode> right) {
        return Wait.until(what, this::state, right);
    }

    private static void sql(String statement, Object... arguments) {
        var source = new SingleConnectionDataSource(TwoInstances.database(), true);
        try {
            new JdbcTemplate(source).update(statement, arguments);
        } finally {
            source.destroy();
        }
    }

    private static List<String> users(List<JsonNode> events) {
        return events.stream().map(event -> text(event.get("data"), "user_id")).toList();
    }

    @Test
    void aChangeIsPostedAsASignedCloudEvent() {
        String secret = created(Map.of());
        given(namespace, "ann", "👍");
        JsonNode event = receiver.awaitEvents(1).getFirst();
        WebhookMessage message = receiver.all.getFirst();

        assertThat(message.type()).isEqualTo("application/cloudevents-batch+json");
        assertThat(message.signature()).isEqualTo(message.expectedSignature(secret));
        assertThat(Instant.ofEpochSecond(Long.parseLong(message.timestamp())))
                .isBetween(Instant.now().minusSeconds(600), Instant.now());
        assertThat(message.id()).startsWith("msg_");
        assertThat(text(event, "specversion")).isEqualTo("1.0");
        assertThat(text(event, "type")).isEqualTo("dev.ovation.changed");
        assertThat(text(event, "source")).startsWith("urn:ovation:");
        assertThat(text(event, "id")).matches("\\d+-\\d+");
        assertThat(text(event, "datacontenttype")).isEqualTo("application/json");
        assertThat(text(event.get("data"), "entity_id")).isEqualTo(entity);
        assertThat(texts(event.get("data").get("added"))).containsExactly("👍");
        assertThat(counts(event.get("data"))).isEqualTo("👍 1");
    }

    @Test
    void theSecretIsShownOnceAndStays() {
        String secret = created(Map.of());
        Answer again = put(other, Map.of("kinds", List.of("changed", "erased")));
        assertOk(again);
        assertThat(other.get("/webhooks").body()).doesNotContain("whsec_");
        given(namespace, "ann", "👍");
        receiver.awaitEvents(1);

        assertThat(receiver.all.getFirst().signature())
                .isEqualTo(receiver.all.getFirst().expectedSignature(secret));
        assertThat(texts(state().get("kinds"))).containsExactly("changed", "erased");
    }

    @Test
    void aReceiverThatWasDownGetsAllInOrder() {
        var _ = created(Map.of());
        receiver.status = 500;
        given(namespace, "user0", "👍");
        awaitState("it fails", state -> text(state, "state").equals("failing"));
        for (int i = 1; i < 20; i++) {
            given(namespace, "user" + i, "👍");
        }
        JsonNode state = state();
        assertThat(text(state, "last_error")).isEqualTo("the receiver answered 500");
        assertThat(state.get("lag").longValue()).isPositive();
        receiver.status = 200;
        List<JsonNode> events = receiver.awaitEvents(20);

        assertThat(users(events))
                .isEqualTo(IntStream.range(0, 20).mapToObj(i -> "user" + i).toList());
        assertThat(receiver.all.stream().filter(each -> users(each.events()).contains("user0")))
                .as("each attempt has the id of the message")
                .hasSizeGreaterThan(1)
                .extracting(WebhookMessage::id)
                .containsOnly(receiver.all.getFirst().id());
        awaitState("it delivers", found -> text(found, "state").equals("active"));
        assertThat(state().has("last_error")).isFalse();
        assertThat(state().has("delivered_at")).isTrue();
    }

    @Test
    void oneInstanceAtATimeSendsInTheOrderOfEachEntity() {
        var _ = created(Map.of("batch", Map.of("max", 3, "delay_ms", 0)));
        int rounds = 30;
        var _ =
                Together.run(
                        () -> write(service, rounds, "one"), () -> write(other, rounds, "other"));
        List<JsonNode> events = receiver.awaitEvents(2 * rounds);

        assertThat(receiver.atOnce).hasValue(1);
        assertThat(events).extracting(event -> text(event, "id")).doesNotHaveDuplicates();
        var versions = new HashMap<String, String>();
        for (JsonNode event : events) {
            String of = text(event.get("data"), "entity_id");
            String version = text(event.get("data"), "version");
            String earlier = versions.put(of, version);
            assertThat(version).isGreaterThan(earlier == null ? "" : earlier);
        }
        assertThat(receiver.all).allSatisfy(each -> assertThat(each.events()).hasSizeBetween(1, 3));
    }

    private Boolean write(Instance instance, int rounds, String user) {
        for (int i = 0; i < rounds; i++) {
            assertOk(instance.add(namespace, entity + i % 3, user + i, "👍"));
        }
        return true;
    }

    @Test
    void firstAndMilestoneTellOfTheseChangesOnly() {
        var _ =
                created(
                        Map.of(
                                "kinds",
                                List.of("first", "milestone"),
                                "milestones",
                                List.of(2, 3)));
        given(namespace, "ann", "👍");
        given(namespace, "ben", "👍");
        assertOk(remove(namespace, "ben", "👍"));
        given(namespace, "cat", "👍");
        given(namespace, "dan", "👍");
        given(namespace, "eve", "👍");
        List<JsonNode> events = receiver.awaitEvents(4);

        assertThat(events)
                .extracting(
                        event ->
                                text(event, "type")
                                        + " "
                                        + event.get("data").path("milestone").asInt(0)
                                        + " "
                                        + text(event.get("data"), "user_id"))
                .containsExactly(
                        "dev.ovation.first 0 ann",
                        "dev.ovation.milestone 2 ben",
                        "dev.ovation.milestone 2 cat",
                        "dev.ovation.milestone 3 dan");
        assertThat(events).extracting(event -> text(event, "id")).doesNotHaveDuplicates();
    }

    @Test
    void anErasureIsTold() {
        var _ = created(Map.of("kinds", List.of("erased")));
        given(namespace, "ann", "👍");
        Erasures.entity(service, namespace, entity);
        JsonNode event = receiver.awaitEvents(1).getFirst();

        assertThat(text(event, "type")).isEqualTo("dev.ovation.erased");
        assertThat(counts(event.get("data"))).isEqualTo("👍 0");
    }

    @Test
    void aMessageThatFailsForADayIsADeadLetterAndCanBeReplayed() {
        var _ = created(Map.of());
        receiver.status = 503;
        given(namespace, "ann", "👍");
        awaitState("it fails", state -> text(state, "state").equals("failing"));
        sql(
                """
                update webhook set first_at = first_at - interval '25 hours', next_at = now()
                where  webhook_id = ?
                """,
                hook);
        JsonNode dead =
                awaitState("a dead letter", state -> !state.get("dead_letters").isEmpty())
                        .get("dead_letters")
                        .get(0);
        assertThat(text(dead, "message_id")).isEqualTo(receiver.all.getFirst().id());
        assertThat(dead.get("events").intValue()).isEqualTo(1);
        assertThat(text(dead, "error")).isEqualTo("the receiver answered 503");

        receiver.status = 200;
        given(namespace, "ben", "👍");
        assertThat(users(receiver.awaitEvents(1))).containsExactly("ben");

        Answer replay = service.send("POST", "/webhooks/replay?webhook_id=" + hook, null);
        assertThat(replay.status()).as(replay.body()).isEqualTo(200);
        assertThat(replay.json().get("dead_letters")).isEmpty();
        assertThat(users(receiver.awaitEvents(3))).containsExactly("ben", "ann", "ben");
        assertViolations(service.send("POST", "/webhooks/replay?webhook_id=" + hook, null), "from");
    }

    @Test
    void changesSinceATimeCanBeReplayed() {
        var _ = created(Map.of());
        given(namespace, "ann", "👍");
        JsonNode first = receiver.awaitEvents(1).getFirst();
        given(namespace, "ben", "👍");
        receiver.awaitEvents(2);
        Answer replay =
                other.send(
                        "POST",
                        "/webhooks/replay?"
                                + Instance.encode(
                                        Map.of("webhook_id", hook, "from", text(first, "time"))),
                        null);
        assertThat(replay.status()).as(replay.body()).isEqualTo(200);

        assertThat(users(receiver.awaitEvents(4))).containsExactly("ann", "ben", "ann", "ben");
        assertThat(receiver.events().get(2)).as("the same event").isEqualTo(first);
    }

    @Test
    void aRedirectIsNotFollowed() {
        var _ = created(Map.of());
        receiver.status = 302;
        given(namespace, "ann", "👍");
        awaitState("it fails", state -> text(state, "state").equals("failing"));

        assertThat(text(state(), "last_error")).isEqualTo("the receiver answered 302");
        assertThat(receiver.events()).isEmpty();
    }

    @Test
    void changesOfOtherNamespacesAreNotSent() {
        var _ = created(Map.of());
        given("posts", "ann", "👍");
        given(namespace, "ben", "👍");

        assertThat(users(receiver.awaitEvents(1))).containsExactly("ben");
    }

    @Test
    void aTestEventIsSentAtOnce() {
        String secret = created(Map.of());
        Answer answer = service.send("POST", "/webhooks/test?webhook_id=" + hook, null);
        assertThat(answer.body()).isEqualTo("{\"delivered\":true}");
        WebhookMessage message = receiver.all.getFirst();
        assertThat(message.signature()).isEqualTo(message.expectedSignature(secret));
        assertThat(text(message.events().getFirst(), "type")).isEqualTo("dev.ovation.test");

        receiver.status = 404;
        answer = service.send("POST", "/webhooks/test?webhook_id=" + hook, null);
        assertThat(answer.json().get("delivered").booleanValue()).isFalse();
        assertThat(text(answer.json(), "error")).isEqualTo("the receiver answered 404");
    }

    @Test
    void aDeletedWebhookIsSentNothing() {
        var _ = created(Map.of());
        assertOk(other.send("DELETE", "/webhooks?webhook_id=" + hook, null));
        var events = new Events(service, namespace);
        given(namespace, "ann", "👍");
        events.next(1);

        assertThat(receiver.all).isEmpty();
        for (String request : List.of("DELETE /webhooks", "POST /webhooks/test")) {
            String[] parts = request.split(" ");
            var _ =
                    assertRefused(
                            service.send(parts[0], parts[1] + "?webhook_id=" + hook, null),
                            404,
                            "not-found");
        }
    }

    /** The places of all webhooks begin at the end of the log. */
    @Test
    void aNewWebhookIsSentLaterChangesOnly() {
        given(namespace, "before", "👍");
        var _ = created(Map.of());
        given(namespace, "after", "👍");

        assertThat(users(receiver.awaitEvents(1))).containsExactly("after");
    }

    @ParameterizedTest
    @CsvSource({"PUT, /webhooks, webhook_id", "DELETE, /webhooks?webhook_id=a:b, webhook_id"})
    void aMalformedIdIsRefused(String method, String path, String field) {
        String body = "{\"url\":\"" + receiver.url() + "\",\"kinds\":[\"changed\"]}";
        assertViolations(
                Instance.sendTo(service.port(), method, path, method.equals("PUT") ? body : null),
                field);
    }
}
