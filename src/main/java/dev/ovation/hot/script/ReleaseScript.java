package dev.ovation.hot.script;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.concurrent.CompletableFuture;

/** {@code release.lua}: gives the lease of an entity back. */
public final class ReleaseScript {

    private final LuaScript script = new LuaScript("release", ScriptOutputType.VALUE);

    /** Sends the script; answers whether the lease was still {@code token}'s. */
    public CompletableFuture<Boolean> execute(
            RedisScriptingAsyncCommands<String, String> redis, int p, EntityKey key, String token) {
        return script.string(redis, new String[] {RedisSchema.lease(p, key)}, token)
                .thenApply("RELEASED"::equals);
    }
}
