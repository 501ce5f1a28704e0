package dev.ovation.hot.script;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** {@code inspect.lua}: copies the data that Redis holds of an entity at one instant. */
public final class InspectScript {

    /** Stands for the time to live of a key that has none. */
    public static final long NO_TTL = -1;

    private final LuaScript script = new LuaScript("inspect", ScriptOutputType.MULTI);

    /** The script's reply. */
    public sealed interface Reply {
        /** The server or the epoch is not the one that the caller attached to. */
        record Fenced() implements Reply {}

        /**
         * The hashes as they are, header fields included; empty when they are missing.
         *
         * @param acked seq up to which events are known to be committed
         * @param waiting op of the outbox event that made the state; empty when it is missing
         * @param countsTtl in milliseconds, or {@link #NO_TTL}
         * @param usersTtl the same for the user hash
         */
        record InspectedState(
                long acked,
                String waiting,
                long countsTtl,
                long usersTtl,
                Map<String, String> counts,
                Map<String, String> users)
                implements Reply {}
    }

    /** Sends the script. */
    public CompletableFuture<Reply> execute(
            RedisScriptingAsyncCommands<String, String> redis, int p, Fence fence, EntityKey key) {
        return script.list(
                        redis,
                        new String[] {
                            RedisSchema.meta(p),
                            RedisSchema.outbox(p),
                            RedisSchema.counts(p, key),
                            RedisSchema.users(p, key)
                        },
                        Long.toString(fence.epoch()),
                        fence.incarnation())
                .thenApply(InspectScript::reply);
    }

    private static Reply reply(List<Object> items) {
        if (items.getFirst().equals("FENCED")) {
            return new Reply.Fenced();
        }
        return new Reply.InspectedState(
                Long.parseLong((String) items.get(1)),
                (String) items.get(2),
                (Long) items.get(3),
                (Long) items.get(4),
                fields((List<?>) items.get(5)),
                fields((List<?>) items.get(6)));
    }

    private static Map<String, String> fields(List<?> flat) {
        var fields = new LinkedHashMap<String, String>();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put((String) flat.get(i), (String) flat.get(i + 1));
        }
        return fields;
    }
}
