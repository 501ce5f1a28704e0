package dev.ovation.hot.script;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.store.snapshot.EntitySnapshot;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code install.lua}: writes an entity that was read from Postgres into Redis. */
public final class InstallScript {

    private final LuaScript script = new LuaScript("install", ScriptOutputType.VALUE);
    private final HotSettings settings;

    public InstallScript(HotSettings settings) {
        this.settings = settings;
    }

    /** The script's reply; only INSTALLED means that this call installed the entity. */
    public enum Reply {
        INSTALLED,
        FENCED,
        LOST,
        DIRTY
    }

    private static String lock(EntitySnapshot snapshot) {
        String lock = snapshot.lock();
        return lock == null ? "" : lock;
    }

    /** An absent entity gets its full TTL with the acknowledgement of its first change. */
    private Duration ttl(EntitySnapshot snapshot) {
        return snapshot.isAbsent() ? settings.absentTtl() : settings.ttl();
    }

    /** Sends the script; {@code token} is the token of the lease. */
    public CompletableFuture<Reply> execute(
            RedisScriptingAsyncCommands<String, String> redis,
            int p,
            Fence fence,
            EntityKey key,
            EntitySnapshot snapshot,
            String token) {
        var args =
                new ArrayList<String>(
                        List.of(
                                Long.toString(fence.epoch()),
                                fence.incarnation(),
                                token,
                                Long.toString(ttl(snapshot).toMillis()),
                                Long.toString(snapshot.version()),
                                snapshot.op(),
                                Long.toString(snapshot.lastAt()),
                                Long.toString(snapshot.people()),
                                snapshot.complete() ? "1" : "0",
                                Integer.toString(snapshot.counters().size()),
                                lock(snapshot)));
        for (Counter counter : snapshot.counters()) {
            args.add(counter.reaction());
            args.add(RedisSchema.value(counter));
        }
        snapshot.users()
                .forEach(
                        (user, reactions) -> {
                            args.add(user);
                            Long lastReactedAt = snapshot.lastReactedAt().get(user);
                            args.add(RedisSchema.userValue(reactions, lastReactedAt));
                        });
        return script.string(redis, RedisSchema.entity(p, key), args.toArray(String[]::new))
                .thenApply(Reply::valueOf);
    }
}
