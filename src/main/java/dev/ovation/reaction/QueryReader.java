package dev.ovation.reaction;

import dev.ovation.access.Principal;
import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.EntityQuery;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.PeopleQuery.FriendOrder;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the body of {@code POST /reactions/query}. */
final class QueryReader {

    private static final int MOST_ENTITIES = 200;
    private static final int MOST_REACTORS = 5;

    private final long maxBody;

    /**
     * Creates a reader of bodies of at most {@code maxBody} bytes.
     *
     * @param maxBody in bytes
     */
    QueryReader(long maxBody) {
        this.maxBody = maxBody;
    }

    EntityQuery read(HttpServletRequest request) throws IOException {
        QueryString.none(request);
        return read(JsonBody.read(request, maxBody), Principal.of(request));
    }

    /** Reads a query, whatever its protocol. */
    static EntityQuery read(JsonBody body, Principal who) {
        var violations = new RequestViolations();
        String namespace =
                IdFields.namespace(
                        "namespace_id", body.text("namespace_id", violations), who, violations);
        String viewer =
                IdFields.viewer("viewer_id", body.text("viewer_id", violations), who, violations);
        boolean details = body.flag("details", violations);
        Integer reactors = body.number("reactors", 0, MOST_REACTORS, violations);
        PeopleQuery people = people(body.member("people"), viewer, violations);
        List<EntityQuery.ScreenItem> items =
                items(body.member("entities"), namespace, who, violations);
        violations.throwIfAny();
        int newest = reactors == null ? 0 : reactors;
        return new EntityQuery(namespace, viewer, details, newest, people, items);
    }

    private static @Nullable PeopleQuery people(
            @Nullable JsonNode value, @Nullable String viewer, RequestViolations violations) {
        if (value == null) {
            return null;
        }
        if (!value.isObject()) {
            violations.add("people", "must be an object");
            return null;
        }
        var people = new JsonBody(value, "people.");
        if (people.member("limit") == null) {
            violations.add("people.limit", "is missing");
        }
        Integer limit = people.number("limit", 0, PeopleQuery.MOST, violations);
        FriendOrder friends =
                friends("people.friends", people.text("friends", violations), viewer, violations);
        boolean perReaction = people.flag("per_reaction", violations);
        return new PeopleQuery(limit == null ? 0 : limit, friends, perReaction);
    }

    /** Reads how friends are shown; a request for friends must name the viewer. */
    static @Nullable FriendOrder friends(
            String field,
            @Nullable String value,
            @Nullable String viewer,
            RequestViolations violations) {
        if (value == null) {
            return null;
        }
        if (viewer == null) {
            violations.add("viewer_id", "is missing: it names the user whose friends are meant");
        }
        return switch (value) {
            case "first" -> FriendOrder.FIRST;
            case "only" -> FriendOrder.ONLY;
            default -> {
                violations.add(field, "must be first or only");
                yield null;
            }
        };
    }

    private static List<EntityQuery.ScreenItem> items(
            @Nullable JsonNode entities,
            String namespace,
            Principal who,
            RequestViolations violations) {
        if (entities == null || !entities.isArray()) {
            violations.add("entities", entities == null ? "is missing" : "must be a list");
            return List.of();
        }
        if (entities.size() > MOST_ENTITIES) {
            violations.add("entities", "must not be more than " + MOST_ENTITIES);
            return List.of();
        }
        var items = new ArrayList<EntityQuery.ScreenItem>(entities.size());
        for (JsonNode each : entities) {
            items.add(item(each, "entities[" + items.size() + "]", namespace, who, violations));
        }
        return items;
    }

    private static EntityQuery.ScreenItem item(
            JsonNode value,
            String field,
            String namespace,
            Principal who,
            RequestViolations violations) {
        if (value.isString()) {
            String entity = IdFields.id(field, value.stringValue(), violations);
            return new EntityQuery.ScreenItem(new EntityKey(namespace, entity), null);
        }
        if (!value.isObject()) {
            violations.add(field, "must be a string or an object");
            return new EntityQuery.ScreenItem(new EntityKey(namespace, ""), null);
        }
        var object = new JsonBody(value, field + ".");
        String own = object.text("namespace_id", violations);
        String entity =
                IdFields.id(field + ".entity_id", object.text("entity_id", violations), violations);
        return new EntityQuery.ScreenItem(
                new EntityKey(
                        own == null
                                ? namespace
                                : IdFields.namespace(field + ".namespace_id", own, who, violations),
                        entity),
                object.text("version", violations));
    }
}
