package dev.ovation.grpc;

import dev.ovation.access.Principal;
import dev.ovation.entity.ChangeKind;
import dev.ovation.grpc.v1.AddRequest;
import dev.ovation.grpc.v1.Attribute;
import dev.ovation.grpc.v1.Friends;
import dev.ovation.grpc.v1.GetRequest;
import dev.ovation.grpc.v1.ListReactorsRequest;
import dev.ovation.grpc.v1.ListUserReactionsRequest;
import dev.ovation.grpc.v1.QueriedEntity;
import dev.ovation.grpc.v1.QueryReactorsRequest;
import dev.ovation.grpc.v1.QueryRequest;
import dev.ovation.grpc.v1.RemoveRequest;
import dev.ovation.grpc.v1.SetRequest;
import dev.ovation.grpc.v1.WatchRequest;
import dev.ovation.grpc.v1.WriteOperation;
import dev.ovation.reaction.ReactionCalls;
import dev.ovation.reaction.write.Command;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.TextFields;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/**
 * Messages as the fields and bodies of the REST API, whose readers check them. An empty text of a
 * field without presence is an absent one.
 */
final class RequestFields {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private RequestFields() {}

    static Command add(AddRequest request, Principal who) {
        return ReactionCalls.command(
                ChangeKind.ADD,
                ids(
                        request.getNamespaceId(),
                        request.getEntityId(),
                        request.getUserId(),
                        request.getReactionId()),
                attributes(request.getAttributesMap()),
                request.getForce(),
                request.getExistingIsOk(),
                given(request.getIdempotencyKey()),
                who);
    }

    static Command remove(RemoveRequest request, Principal who) {
        return ReactionCalls.command(
                ChangeKind.REMOVE,
                ids(
                        request.getNamespaceId(),
                        request.getEntityId(),
                        request.getUserId(),
                        request.getReactionId()),
                attributes(request.getAttributesMap()),
                false,
                false,
                given(request.getIdempotencyKey()),
                who);
    }

    static Command operation(WriteOperation operation, Principal who) {
        return switch (operation.getChangeCase()) {
            case ADD -> add(operation.getAdd(), who);
            case REMOVE -> remove(operation.getRemove(), who);
            case CHANGE_NOT_SET -> throw Problems.malformed("change", "is missing");
        };
    }

    static Command set(SetRequest request, Principal who) {
        ObjectNode body = NODES.objectNode();
        put("namespace_id", request.getNamespaceId(), body);
        put("entity_id", request.getEntityId(), body);
        put("user_id", request.getUserId(), body);
        put("if_version", request.getIfVersion(), body);
        body.set("reaction_ids", texts(request.getReactionIdsList()));
        ObjectNode attributes = attributes(request.getAttributesMap());
        if (attributes != null) {
            body.set("attributes", attributes);
        }
        return ReactionCalls.set(new JsonBody(body, ""), given(request.getIdempotencyKey()), who);
    }

    static TextFields get(GetRequest request) {
        return name ->
                switch (name) {
                    case "namespace_id" -> given(request.getNamespaceId());
                    case "entity_id" -> given(request.getEntityId());
                    case "viewer_id" -> request.hasViewerId() ? request.getViewerId() : null;
                    case "details" -> request.getDetails() ? "true" : null;
                    case "people" ->
                            request.hasPeople() ? Integer.toString(request.getPeople()) : null;
                    case "friends" -> friends(request.getFriends());
                    default -> null;
                };
    }

    static JsonBody query(QueryRequest request) {
        ObjectNode body = NODES.objectNode();
        put("namespace_id", request.getNamespaceId(), body);
        if (request.hasViewerId()) {
            body.put("viewer_id", request.getViewerId());
        }
        body.put("details", request.getDetails());
        body.put("reactors", request.getReactors());
        if (request.hasPeople()) {
            var wish = request.getPeople();
            ObjectNode people = body.putObject("people");
            people.put("limit", wish.getLimit());
            put("friends", friends(wish.getFriends()), people);
            people.put("per_reaction", wish.getPerReaction());
        }
        ArrayNode entities = body.putArray("entities");
        for (QueriedEntity each : request.getEntitiesList()) {
            ObjectNode entity = entities.addObject();
            put("entity_id", each.getEntityId(), entity);
            put("namespace_id", each.getNamespaceId(), entity);
            put("version", each.getVersion(), entity);
        }
        return new JsonBody(body, "");
    }

    static TextFields reactors(ListReactorsRequest request) {
        return name ->
                switch (name) {
                    case "namespace_id" -> given(request.getNamespaceId());
                    case "entity_id" -> given(request.getEntityId());
                    case "reaction_id" -> given(request.getReactionId());
                    case "order" -> request.getOldestFirst() ? "oldest" : null;
                    case "viewer_id" -> request.hasViewerId() ? request.getViewerId() : null;
                    case "friends" -> friends(request.getFriends());
                    case "limit" -> limit(request.getLimit());
                    case "cursor" -> given(request.getCursor());
                    default -> null;
                };
    }

    static JsonBody among(QueryReactorsRequest request) {
        ObjectNode body = NODES.objectNode();
        put("namespace_id", request.getNamespaceId(), body);
        body.set("entity_ids", texts(request.getEntityIdsList()));
        body.set("among", texts(request.getAmongList()));
        if (request.getLimit() != 0) {
            body.put("limit", request.getLimit());
        }
        return new JsonBody(body, "");
    }

    static TextFields given(ListUserReactionsRequest request) {
        return name ->
                switch (name) {
                    case "user_id" -> given(request.getUserId());
                    case "namespace_id" -> given(request.getNamespaceId());
                    case "limit" -> limit(request.getLimit());
                    case "cursor" -> given(request.getCursor());
                    default -> null;
                };
    }

    static TextFields watch(WatchRequest request) {
        return name ->
                switch (name) {
                    case "namespace_id" -> given(request.getNamespaceId());
                    case "viewer_id" -> request.hasViewerId() ? request.getViewerId() : null;
                    default -> null;
                };
    }

    /** Returns a text; null for an empty one. */
    static @Nullable String given(String text) {
        return text.isEmpty() ? null : text;
    }

    private static TextFields ids(String namespace, String entity, String user, String reaction) {
        return name ->
                switch (name) {
                    case "namespace_id" -> given(namespace);
                    case "entity_id" -> given(entity);
                    case "user_id" -> given(user);
                    case "reaction_id" -> given(reaction);
                    default -> null;
                };
    }

    private static @Nullable String limit(int limit) {
        return limit == 0 ? null : Integer.toString(limit);
    }

    /** Returns the word of the REST API; a value of a later proto file is a wrong one there. */
    private static @Nullable String friends(Friends friends) {
        return switch (friends) {
            case FRIENDS_UNSPECIFIED -> null;
            case FRIENDS_FIRST -> "first";
            case FRIENDS_ONLY -> "only";
            case UNRECOGNIZED -> "unrecognized";
        };
    }

    private static void put(String name, @Nullable String text, ObjectNode body) {
        if (text != null && !text.isEmpty()) {
            body.put(name, text);
        }
    }

    private static ArrayNode texts(List<String> texts) {
        ArrayNode list = NODES.arrayNode(texts.size());
        texts.forEach(list::add);
        return list;
    }

    private static @Nullable ObjectNode attributes(Map<String, Attribute> given) {
        if (given.isEmpty()) {
            return null;
        }
        ObjectNode attributes = NODES.objectNode();
        given.forEach((name, each) -> attributes.set(name, value(each)));
        return attributes;
    }

    private static JsonNode value(Attribute attribute) {
        return switch (attribute.getValueCase()) {
            case TEXT -> NODES.stringNode(attribute.getText());
            case NUMBER -> NODES.numberNode(attribute.getNumber());
            case FLAG -> NODES.booleanNode(attribute.getFlag());
            case TEXTS -> texts(attribute.getTexts().getValuesList());
            case VALUE_NOT_SET -> NODES.nullNode();
        };
    }
}
