package dev.ovation.hot.script;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Fence;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code read.lua}: an entity's counters and one user's reactions, of one instant. */
public final class ReadScript {

    private final LuaScript script = new LuaScript("read", ScriptOutputType.MULTI);
    private final HotSettings settings;

    public ReadScript(HotSettings settings) {
        this.settings = settings;
    }

    /** What the script says. */
    public sealed interface Reply {
        /** Not the server or the epoch that the caller attached to. */
        record Fenced() implements Reply {}

        /** The entity is not loaded, and {@code holder} has the lease; empty: nobody can. */
        record Miss(String holder) implements Reply {}

        /** The user is not loaded, and {@code holder} has the lease; empty: nobody can. */
        record UserMiss(String holder) implements Reply {}

        /** The hot state; {@code own} is empty when no user was asked for. */
        record Hit(long version, List<Counter> counters, List<String> own) implements Reply {}
    }

    /**
     * Sends the script.
     *
     * @param viewer whose reactions are wanted; null for nobody's
     * @param token id of the caller, for a lease
     * @param stale a holder of the lease that was waited for in vain, or empty
     */
    public CompletableFuture<Reply> execute(
            RedisScriptingAsyncCommands<String, String> redis,
            int p,
            Fence fence,
            EntityKey key,
            @Nullable String viewer,
            String token,
            String stale) {
        return script.list(
                        redis,
                        new String[] {
                            RedisSchema.meta(p),
                            RedisSchema.counts(p, key),
                            RedisSchema.users(p, key),
                            RedisSchema.lease(p, key)
                        },
                        Long.toString(fence.epoch()),
                        fence.incarnation(),
                        viewer == null ? "" : viewer,
                        token,
                        Long.toString(settings.lease().toMillis()),
                        stale,
                        Long.toString(System.currentTimeMillis()))
                .thenApply(ReadScript::reply);
    }

    private static Reply reply(List<Object> items) {
        return switch ((String) items.get(0)) {
            case "FENCED" -> new Reply.Fenced();
            case "MISS" -> new Reply.Miss((String) items.get(1));
            case "USER_MISS" -> new Reply.UserMiss((String) items.get(1));
            case "HIT" -> hit((String) items.get(1), (String) items.get(2));
            default -> throw new IllegalStateException("read.lua answered " + items);
        };
    }

    /** A counter's value is three items, a mark's one. */
    private static Reply hit(String own, String counts) {
        List<String> items = RedisSchema.split(counts);
        var counters = new ArrayList<Counter>();
        long version = 0;
        int i = 0;
        while (i < items.size()) {
            String field = items.get(i);
            if (field.startsWith(RedisSchema.COUNTER)) {
                counters.add(RedisSchema.counter(field, items.subList(i + 1, i + 4)));
                i += 4;
            } else {
                version = field.equals("version") ? Long.parseLong(items.get(i + 1)) : version;
                i += 2;
            }
        }
        return new Reply.Hit(version, counters, RedisSchema.split(own));
    }
}
