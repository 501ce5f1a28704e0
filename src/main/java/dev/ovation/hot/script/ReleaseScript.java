package dev.ovation.hot.script;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.concurrent.CompletableFuture;

/** {@code release.lua}: releases the lease of an entity. */
public final class ReleaseScript {

    private final LuaScript script = new LuaScript("release", ScriptOutputType.VALUE);

    /** Sends the script; the answer is whether {@code token} still held the lease. */
    public CompletableFuture<Boolean> execute(
            RedisScriptingAsyncCommands<String, String> redis, int p, EntityKey key, String token) {
        return script.string(redis, new String[] {RedisSchema.lease(p, key)}, token)
                .thenApply("RELEASED"::equals);
    }
}
