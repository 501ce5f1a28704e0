package dev.ovation.crowd;

import dev.ovation.access.Principal;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.crowd.ReactorQuery.FriendFilter;
import dev.ovation.crowd.ReactorQuery.ReactorPosition;
import dev.ovation.entity.EntityKey;
import dev.ovation.store.replica.ReplicaPosition;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.PageCursor;
import dev.ovation.web.request.PageLimit;
import dev.ovation.web.request.TextFields;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads requests; an invalid request is a 400 that names all its violations. */
final class CrowdRequests {

    private static final int MOST_ENTITIES = 50;
    private static final int MOST_USERS = 1_000;

    private CrowdRequests() {}

    /**
     * A query for reactors, with the cursors of its pages.
     *
     * @param since what the page must include, as every page of its list; null for nothing
     */
    record ReactorsAsked(ReactorQuery query, @Nullable ReplicaPosition since, PageCursor cursor) {

        boolean isFirst() {
            return query.from() == null;
        }

        /** Whether the page may lack the newest commits; a later page only by its cursor. */
        boolean mayBeOlder() {
            return query.viewer() == null && (isFirst() || since != null);
        }

        String cursor(ReactorPosition next, @Nullable ReplicaPosition first) {
            return first == null
                    ? cursor.at(next.others(), next.bound(), next.at(), next.user())
                    : cursor.at(next.others(), next.bound(), next.at(), next.user(), first);
        }
    }

    private record ReactorPlace(ReactorPosition position, @Nullable ReplicaPosition since) {

        static ReactorPlace of(List<String> parts) {
            return new ReactorPlace(
                    new ReactorPosition(
                            Boolean.parseBoolean(parts.get(0)),
                            Long.parseLong(parts.get(1)),
                            Long.parseLong(parts.get(2)),
                            parts.get(3)),
                    parts.size() > 4 ? ReplicaPosition.of(parts.get(4)) : null);
        }
    }

    /** A query for the reactions of a user, with the cursors of its pages. */
    record GivenAsked(
            String user,
            @Nullable String namespace,
            UserReactionList.UserReactionRow from,
            int limit,
            PageCursor cursor) {
        String cursor(UserReactionList.UserReactionRow last) {
            return cursor.at(last.at(), last.namespace(), last.entity(), last.reaction());
        }
    }

    /** A query for the reactors of entities among given users. */
    record ReactorAmongQuery(
            String namespace, List<String> entities, Set<String> among, int limit) {}

    static ReactorsAsked reactors(TextFields query, Principal who, RulesInForce rules) {
        var violations = new RequestViolations();
        var key =
                new EntityKey(
                        IdFields.namespace(
                                "namespace_id", query.text("namespace_id"), who, violations),
                        IdFields.id("entity_id", query.text("entity_id"), violations));
        String reaction = optionalId("reaction_id", query, violations);
        String viewer = IdFields.viewer("viewer_id", query.text("viewer_id"), who, violations);
        boolean oldest = "oldest".equals(word("order", query, violations, "newest", "oldest"));
        String wish = word("friends", query, violations, "first", "only");
        if (wish != null && viewer == null) {
            violations.add("viewer_id", "is missing: it names the user whose friends are meant");
        }
        FriendFilter friends =
                wish == null
                        ? FriendFilter.AMONG_ALL
                        : wish.equals("first") ? FriendFilter.FIRST : FriendFilter.ONLY;
        int limit = PageLimit.of(query, violations);
        violations.throwIfAny();
        String only = reaction == null ? null : rules.key(key.namespace(), reaction);
        var cursor =
                PageCursor.of(
                        "reactors",
                        key.namespace(),
                        key.entity(),
                        only == null ? "" : only,
                        oldest,
                        viewer == null ? "" : viewer,
                        friends);
        ReactorPlace place = cursor.read(query.text("cursor"), ReactorPlace::of);
        ReactorPosition from = place == null ? null : place.position;
        return new ReactorsAsked(
                new ReactorQuery(key, only, oldest, viewer, friends, from, limit),
                place == null ? null : place.since,
                cursor);
    }

    static GivenAsked given(TextFields query, Principal who) {
        var violations = new RequestViolations();
        String user = IdFields.actor("user_id", query.text("user_id"), who, violations);
        String namespace = query.nonEmpty("namespace_id");
        if (namespace == null) {
            IdFields.everyNamespace(who, violations);
        } else {
            IdFields.namespace("namespace_id", namespace, who, violations);
        }
        int limit = PageLimit.of(query, violations);
        violations.throwIfAny();
        var cursor = PageCursor.of("given", user, namespace == null ? "" : namespace);
        UserReactionList.UserReactionRow from =
                cursor.read(
                        query.text("cursor"),
                        parts ->
                                new UserReactionList.UserReactionRow(
                                        Long.parseLong(parts.get(0)),
                                        parts.get(1),
                                        parts.get(2),
                                        parts.get(3)));
        return new GivenAsked(
                user,
                namespace,
                from == null ? UserReactionList.UserReactionRow.NONE : from,
                limit,
                cursor);
    }

    static ReactorAmongQuery among(JsonBody body, Principal who) {
        var violations = new RequestViolations();
        String namespace =
                IdFields.namespace(
                        "namespace_id", body.text("namespace_id", violations), who, violations);
        List<String> entities = ids("entity_ids", MOST_ENTITIES, body, violations);
        List<String> among = ids("among", MOST_USERS, body, violations);
        int limit = PageLimit.of(body, violations);
        violations.throwIfAny();
        return new ReactorAmongQuery(namespace, entities, new LinkedHashSet<>(among), limit);
    }

    private static @Nullable String optionalId(
            String name, TextFields query, RequestViolations violations) {
        String value = query.nonEmpty(name);
        return value == null ? null : IdFields.id(name, value, violations);
    }

    private static @Nullable String word(
            String name, TextFields query, RequestViolations violations, String one, String other) {
        String value = query.text(name);
        if (value != null && !value.equals(one) && !value.equals(other)) {
            violations.add(name, "must be " + one + " or " + other);
        }
        return value;
    }

    private static List<String> ids(
            String name, int most, JsonBody body, RequestViolations violations) {
        JsonNode list = body.member(name);
        if (list == null || !list.isArray()) {
            violations.add(name, list == null ? "is missing" : "must be a list");
            return List.of();
        }
        if (list.size() > most) {
            violations.add(name, "must not be more than " + most);
            return List.of();
        }
        var ids = new ArrayList<String>(list.size());
        for (JsonNode each : list) {
            String field = name + "[" + ids.size() + "]";
            if (!each.isString()) {
                violations.add(field, "must be a string");
            }
            ids.add(each.isString() ? IdFields.id(field, each.stringValue(), violations) : "");
        }
        return ids;
    }
}
