package dev.ovation.reaction.view;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.Reactor.Newest;
import dev.ovation.web.http.Json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A screen as it is answered: its entities in the order asked, those still the same in short. */
public final class ScreenJson {

    private static final byte[] HEAD = "{\"entities\":[".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TAIL = "]}".getBytes(StandardCharsets.UTF_8);
    private static final byte[] REACTORS = ",\"reactors\":".getBytes(StandardCharsets.UTF_8);
    private static final int BYTES_PER_ENTITY = 256;

    private record Same(String entityId, String version, boolean unchanged) {}

    private record User(String userId, List<Reaction> reactions) {}

    private record Reaction(String reactionId, String reactedAt) {}

    private ScreenJson() {}

    /**
     * The JSON of a screen.
     *
     * @param views one for each item of the query, in the same order
     * @param reactors those who are shown, if any are asked for
     */
    public static byte[] bytes(
            EntityQuery query, List<EntityView> views, Map<EntityKey, Newest> reactors) {
        var out = new ByteArrayOutputStream(BYTES_PER_ENTITY * (1 + views.size()));
        out.writeBytes(HEAD);
        for (int i = 0; i < views.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            EntityView view = views.get(i);
            EntityQuery.Item item = query.items().get(i);
            if (item.has(view)) {
                out.writeBytes(Json.bytes(new Same(view.entity(), view.version(), true)));
                continue;
            }
            if (query.reactors() == 0) {
                out.writeBytes(view.json(query.details()));
                continue;
            }
            Newest newest = reactors.getOrDefault(item.key(), Newest.NOBODY);
            byte[] json = json(view, query.details(), newest.version());
            out.write(json, 0, json.length - 1);
            out.writeBytes(REACTORS);
            out.writeBytes(users(newest.reactors()));
            out.write('}');
        }
        out.writeBytes(TAIL);
        return out.toByteArray();
    }

    /** With a version that is never right again when somebody who is counted is not shown yet. */
    private static byte[] json(EntityView view, boolean details, long committed) {
        return details && view.isAheadOf(committed)
                ? Json.bytes(EntityJson.detailed(view, view.state()))
                : view.json(details);
    }

    private static byte[] users(List<Reactor> reactors) {
        return Json.bytes(reactors.stream().map(ScreenJson::user).toList());
    }

    private static User user(Reactor reactor) {
        return new User(
                reactor.user(),
                reactor.reactions().stream()
                        .map(each -> new Reaction(each.reaction(), EntityJson.time(each.at())))
                        .toList());
    }
}
