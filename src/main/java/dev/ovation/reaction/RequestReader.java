package dev.ovation.reaction;

import dev.ovation.access.Principal;
import dev.ovation.entity.ChangeKind;
import dev.ovation.reaction.attribute.AttributeReader;
import dev.ovation.reaction.attribute.RequestAttributes;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.IdempotencyKey;
import dev.ovation.reaction.write.IfMatch;
import dev.ovation.rules.ReactionKey;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.IdempotencyHeader;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;
import dev.ovation.web.request.TextFields;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Reads requests; an invalid request is a 400 that names all its violations. */
final class RequestReader {

    private static final int MOST_REACTIONS = 1000;

    private final long maxBody;

    /** The parameters of {@code GET /reactions}. */
    record Read(
            String namespace,
            String entity,
            @Nullable String user,
            boolean details,
            @Nullable PeopleQuery people) {}

    /**
     * Creates a reader of bodies of at most {@code maxBody} bytes.
     *
     * @param maxBody in bytes
     */
    RequestReader(long maxBody) {
        this.maxBody = maxBody;
    }

    static TextFields query(HttpServletRequest request) {
        return QueryString.of(
                request,
                "namespace_id",
                "entity_id",
                "viewer_id",
                "user_id",
                "details",
                "people",
                "friends");
    }

    /** Reads the parameters of a {@code GET}. */
    static Read read(TextFields query, Principal who) {
        var violations = new RequestViolations();
        String namespace =
                IdFields.namespace("namespace_id", query.text("namespace_id"), who, violations);
        String entity = IdFields.id("entity_id", query.text("entity_id"), violations);
        String user = viewer(query, who, violations);
        boolean details = query.flag("details", false, violations);
        PeopleQuery people = people(query, user, violations);
        violations.throwIfAny();
        return new Read(namespace, entity, user, details, people);
    }

    private static @Nullable PeopleQuery people(
            TextFields query, @Nullable String viewer, RequestViolations violations) {
        String limit = query.text("people");
        var friends = QueryReader.friends("friends", query.text("friends"), viewer, violations);
        if (limit == null) {
            return null;
        }
        if (!limit.matches("[0-9]") || Integer.parseInt(limit) > PeopleQuery.MOST) {
            violations.add("people", "must be a number from 0 to " + PeopleQuery.MOST);
            return null;
        }
        return new PeopleQuery(Integer.parseInt(limit), friends, false);
    }

    /** Reads a {@code POST}: the body has the ids, the query has the options. */
    Command add(HttpServletRequest request) throws IOException {
        QueryString query = QueryString.of(request, "force", "if_exists");
        JsonBody body = JsonBody.read(request, maxBody);
        var violations = new RequestViolations();
        boolean force = query.flag("force", false, violations);
        boolean existingIsFine = existingIsFine(query, violations);
        return command(
                ChangeKind.ADD,
                name -> body.text(name, violations),
                body.member("attributes"),
                force,
                existingIsFine,
                found -> IdempotencyHeader.read(request, found),
                Principal.of(request),
                violations);
    }

    /** Reads a {@code DELETE}: the ids are in the body, in the query, or in both alike. */
    Command remove(HttpServletRequest request) throws IOException {
        var query = QueryString.of(request, "namespace_id", "entity_id", "user_id", "reaction_id");
        JsonBody body = JsonBody.readIfAny(request, maxBody);
        var violations = new RequestViolations();
        return command(
                ChangeKind.REMOVE,
                name -> either(name, query, body, violations),
                body == null ? null : body.member("attributes"),
                false,
                false,
                found -> IdempotencyHeader.read(request, found),
                Principal.of(request),
                violations);
    }

    /**
     * Reads a {@code PUT}: the body has all reactions that the user is to have; the header, the
     * body or both have a condition.
     */
    Command put(HttpServletRequest request) throws IOException {
        QueryString.none(request);
        JsonBody body = JsonBody.read(request, maxBody);
        return put(
                body,
                found -> IdempotencyHeader.read(request, found),
                (version, found) -> IfMatch.of(request, version, found),
                Principal.of(request));
    }

    /** Reads the key of a call; null for none. */
    interface KeySource {
        @Nullable String read(RequestViolations violations);
    }

    /** Makes the condition of a call from the version that its body names. */
    interface ConditionSource {
        IfMatch read(@Nullable String version, RequestViolations violations);
    }

    /** Reads a whole set of reactions. */
    static Command put(JsonBody body, KeySource key, ConditionSource ifMatch, Principal who) {
        var violations = new RequestViolations();
        String namespace =
                IdFields.namespace(
                        "namespace_id", body.text("namespace_id", violations), who, violations);
        String entity = IdFields.id("entity_id", body.text("entity_id", violations), violations);
        String user = IdFields.actor("user_id", body.text("user_id", violations), who, violations);
        List<String> reactions = reactions(body.member("reaction_ids"), violations);
        String value = key.read(violations);
        IfMatch condition = ifMatch.read(body.text("if_version", violations), violations);
        var attributes =
                AttributeReader.read(body.member("attributes"), "attributes", who, violations);
        violations.throwIfAny();
        String lines = String.join("\n", reactions);
        return new Command(
                        ChangeKind.PUT,
                        namespace,
                        entity,
                        user,
                        reactions,
                        false,
                        true,
                        IdempotencyKey.of(value, ChangeKind.PUT, namespace, entity, user, lines),
                        condition,
                        RequestAttributes.NONE)
                .with(attributes);
    }

    /**
     * Returns the ids in the order in which Postgres sorts reactions of the same time; every store
     * keeps this order.
     */
    private static List<String> reactions(@Nullable JsonNode ids, RequestViolations violations) {
        if (ids == null || !ids.isArray()) {
            violations.add("reaction_ids", ids == null ? "is missing" : "must be a list");
            return List.of();
        }
        if (ids.size() > MOST_REACTIONS) {
            violations.add("reaction_ids", "must not be more than " + MOST_REACTIONS);
            return List.of();
        }
        Set<String> keys = new TreeSet<>(ReactionKey.ORDER);
        for (int i = 0; i < ids.size(); i++) {
            JsonNode id = ids.get(i);
            String field = "reaction_ids[" + i + "]";
            if (id.isString()) {
                keys.add(ReactionKey.of(IdFields.id(field, id.stringValue(), violations)));
            } else {
                violations.add(field, "must be a string");
            }
        }
        return List.copyOf(keys);
    }

    /** Reads the change of one reaction. */
    static Command command(
            ChangeKind kind,
            TextFields source,
            @Nullable JsonNode given,
            boolean force,
            boolean existingIsFine,
            KeySource givenKey,
            Principal who,
            RequestViolations violations) {
        String namespace =
                IdFields.namespace("namespace_id", source.text("namespace_id"), who, violations);
        String entity = IdFields.id("entity_id", source.text("entity_id"), violations);
        String user = IdFields.actor("user_id", source.text("user_id"), who, violations);
        String reaction = IdFields.id("reaction_id", source.text("reaction_id"), violations);
        String value = givenKey.read(violations);
        var attributes = AttributeReader.read(given, "attributes", who, violations);
        violations.throwIfAny();
        var key =
                IdempotencyKey.of(
                        value, kind, namespace, entity, user, reaction, force, existingIsFine);
        return new Command(kind, namespace, entity, user, reaction, force, existingIsFine, key)
                .with(attributes);
    }

    private static @Nullable String viewer(
            TextFields query, Principal who, RequestViolations violations) {
        String viewer = query.text("viewer_id");
        String user = query.text("user_id");
        if (isGiven(viewer) && isGiven(user) && !Objects.equals(viewer, user)) {
            violations.add("viewer_id", "differs from user_id, which means the same");
        }
        return viewer == null || (!isGiven(viewer) && isGiven(user))
                ? IdFields.viewer("user_id", user, who, violations)
                : IdFields.viewer("viewer_id", viewer, who, violations);
    }

    private static boolean isGiven(@Nullable String value) {
        return value != null && !value.isEmpty();
    }

    private static boolean existingIsFine(QueryString query, RequestViolations violations) {
        return existingIsFine("if_exists", query.text("if_exists"), violations);
    }

    static boolean existingIsFine(
            String field, @Nullable String value, RequestViolations violations) {
        if (value != null && !value.equals("ok") && !value.equals("error")) {
            violations.add(field, "must be ok or error");
        }
        return "ok".equals(value);
    }

    private static @Nullable String either(
            String name, QueryString query, @Nullable JsonBody body, RequestViolations violations) {
        String fromQuery = name.equals("user_id") ? query.nonEmpty(name) : query.text(name);
        String fromBody = body == null ? null : body.text(name, violations);
        if (fromQuery != null && fromBody != null && !fromQuery.equals(fromBody)) {
            violations.add(name, "differs between the body and the query");
        }
        return fromBody != null ? fromBody : fromQuery;
    }
}
