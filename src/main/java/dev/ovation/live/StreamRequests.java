package dev.ovation.live;

import dev.ovation.access.Principal;
import dev.ovation.entity.EntityKey;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;
import dev.ovation.web.request.TextFields;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the requests of streams; an invalid one is a 400 that names all its violations. */
final class StreamRequests {

    private static final int MOST_ENTITIES = 200;

    private final long maxBody;

    /**
     * Entities that a stream is to watch.
     *
     * @param user whose own reactions it shows; null for none
     * @param lastId id of the last event that the client has; null for none
     */
    record WatchRequest(
            String namespace,
            Set<EntityKey> keys,
            @Nullable String user,
            @Nullable String lastId) {}

    /**
     * Names of the fields of a protocol.
     *
     * @param entities ids of the entities
     * @param user whose own reactions the stream shows
     */
    record FieldNames(String entities, String user) {

        /** Of the query of an HTTP request. */
        static final FieldNames OF_QUERIES = new FieldNames("entity_id", "user_id");

        /** Of the message of a gRPC call. */
        static final FieldNames OF_MESSAGES = new FieldNames("entity_ids", "viewer_id");
    }

    /** A new watched set for the stream of an id. */
    record Replacement(String streamId, WatchRequest watch) {}

    /**
     * Creates a reader of bodies of at most {@code maxBody} bytes.
     *
     * @param maxBody in bytes
     */
    StreamRequests(long maxBody) {
        this.maxBody = maxBody;
    }

    /** Reads a request for a stream. */
    static WatchRequest read(HttpServletRequest request) {
        QueryString query =
                QueryString.repeating(
                        request, "entity_id", "namespace_id", "user_id", "last_event_id");
        String header = request.getHeader("Last-Event-ID");
        return read(
                query,
                query.repeated(),
                header == null ? query.text("last_event_id") : header,
                FieldNames.OF_QUERIES,
                Principal.of(request));
    }

    /**
     * Reads a call for a stream, whatever its protocol.
     *
     * @param query namespace_id and the user
     * @param ids entities to watch
     * @param lastId id of the last event that the client has; null for none
     * @param names of the other fields
     * @throws ProblemException 400, 401 or 403
     */
    static WatchRequest read(
            TextFields query,
            List<String> ids,
            @Nullable String lastId,
            FieldNames names,
            Principal who) {
        var violations = new RequestViolations();
        String namespace =
                IdFields.namespace("namespace_id", query.text("namespace_id"), who, violations);
        if (ids.isEmpty()) {
            violations.add(names.entities(), "is missing");
        }
        Set<EntityKey> keys = keys(names.entities(), namespace, ids, violations);
        String user = IdFields.viewer(names.user(), query.text(names.user()), who, violations);
        violations.throwIfAny();
        return new WatchRequest(namespace, keys, user, lastId);
    }

    /**
     * Reads a new watched set.
     *
     * @throws ProblemException 400, 401 or 403
     */
    Replacement replacement(HttpServletRequest request) throws IOException {
        QueryString query = QueryString.of(request, "stream_id");
        JsonBody body = JsonBody.read(request, maxBody);
        var violations = new RequestViolations();
        String id = IdFields.id("stream_id", query.text("stream_id"), violations);
        String namespace =
                IdFields.namespace(
                        "namespace_id",
                        body.text("namespace_id", violations),
                        Principal.of(request),
                        violations);
        List<String> ids = ids(body.member("entities"), violations);
        Set<EntityKey> keys = keys("entities", namespace, ids, violations);
        violations.throwIfAny();
        return new Replacement(id, new WatchRequest(namespace, keys, null, null));
    }

    private static List<String> ids(@Nullable JsonNode entities, RequestViolations violations) {
        if (entities == null || !entities.isArray()) {
            violations.add("entities", entities == null ? "is missing" : "must be a list");
            return List.of();
        }
        if (!entities.valueStream().allMatch(JsonNode::isString)) {
            violations.add("entities", "must be a list of strings");
            return List.of();
        }
        return entities.valueStream().map(JsonNode::stringValue).toList();
    }

    private static Set<EntityKey> keys(
            String field, String namespace, List<String> ids, RequestViolations violations) {
        if (ids.size() > MOST_ENTITIES) {
            violations.add(field, "must not be more than " + MOST_ENTITIES);
        }
        Set<EntityKey> keys = new LinkedHashSet<>();
        ids.forEach(id -> keys.add(new EntityKey(namespace, IdFields.id(field, id, violations))));
        return keys;
    }
}
