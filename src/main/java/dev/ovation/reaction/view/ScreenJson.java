package dev.ovation.reaction.view;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.RecentReactor.RecentReactorList;
import dev.ovation.web.http.Json;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The JSON of a screen: its entities in the order of the query, unchanged ones in short form. */
public final class ScreenJson {

    private static final byte[] HEAD = "{\"entities\":[".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TAIL = "]}".getBytes(StandardCharsets.UTF_8);
    private static final byte[] REACTORS = ",\"reactors\":".getBytes(StandardCharsets.UTF_8);
    private static final byte[] PEOPLE = ",\"people\":".getBytes(StandardCharsets.UTF_8);
    private static final int BYTES_PER_ENTITY = 256;

    private record UnchangedJson(String entityId, String version, boolean unchanged) {}

    private record RecentReactorJson(String userId, List<RecentReactionJson> reactions) {}

    private record RecentReactionJson(String reactionId, String reactedAt) {}

    private ScreenJson() {}

    /**
     * Returns the JSON of a screen.
     *
     * @param views one view for each item of the query, in the same order
     * @param reactors newest reactors by entity, if the query wants any
     * @param people people by entity, if the query wants them
     */
    public static byte[] bytes(
            EntityQuery query,
            List<EntityView> views,
            Map<EntityKey, RecentReactorList> reactors,
            Map<EntityKey, PeopleOfState> people) {
        var out = new ByteArrayOutputStream(BYTES_PER_ENTITY * (1 + views.size()));
        out.writeBytes(HEAD);
        for (int i = 0; i < views.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            EntityView view = views.get(i);
            EntityQuery.ScreenItem item = query.items().get(i);
            if (item.has(view)) {
                out.writeBytes(Json.bytes(new UnchangedJson(view.entity(), view.version(), true)));
                continue;
            }
            RecentReactorList newest =
                    query.reactors() == 0
                            ? null
                            : reactors.getOrDefault(item.key(), RecentReactorList.EMPTY);
            write(view, query.details(), newest, people.get(item.key()), out);
        }
        out.writeBytes(TAIL);
        return out.toByteArray();
    }

    /** Returns the JSON of one entity with its people. */
    public static byte[] bytes(EntityView view, boolean details, PeopleOfState people) {
        var out = new ByteArrayOutputStream(BYTES_PER_ENTITY);
        write(view, details, null, people, out);
        return out.toByteArray();
    }

    /**
     * Writes an entity. Its version never matches again when the counts include a reactor that the
     * lists do not show yet.
     */
    private static void write(
            EntityView view,
            boolean details,
            @Nullable RecentReactorList newest,
            @Nullable PeopleOfState people,
            ByteArrayOutputStream out) {
        byte[] json =
                details && isAhead(view, newest, people)
                        ? Json.bytes(EntityJson.detailed(view, view.state()))
                        : view.json(details);
        out.write(json, 0, EntityJson.withoutBrace(json));
        if (newest != null) {
            out.writeBytes(REACTORS);
            out.writeBytes(users(newest.reactors()));
        }
        if (people != null) {
            out.writeBytes(PEOPLE);
            out.writeBytes(Json.bytes(people.json()));
        }
        out.write('}');
    }

    /** Returns the entity with all details and the version that a client may keep. */
    public static EntityJson detailed(
            EntityView view, @Nullable RecentReactorList newest, @Nullable PeopleOfState people) {
        return isAhead(view, newest, people)
                ? EntityJson.detailed(view, view.state())
                : EntityJson.detailed(view);
    }

    private static boolean isAhead(
            EntityView view, @Nullable RecentReactorList newest, @Nullable PeopleOfState people) {
        long committed = newest == null ? Long.MAX_VALUE : newest.version();
        return view.isAheadOf(people == null ? committed : Math.min(committed, people.version()));
    }

    private static byte[] users(List<RecentReactor> reactors) {
        return Json.bytes(reactors.stream().map(ScreenJson::user).toList());
    }

    private static RecentReactorJson user(RecentReactor reactor) {
        return new RecentReactorJson(
                reactor.user(),
                reactor.reactions().stream()
                        .map(
                                each ->
                                        new RecentReactionJson(
                                                each.reaction(), EntityJson.time(each.at())))
                        .toList());
    }
}
