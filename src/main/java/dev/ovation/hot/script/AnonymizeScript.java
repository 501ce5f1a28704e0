package dev.ovation.hot.script;

import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.concurrent.CompletableFuture;

/** {@code anonymize.lua}: removes a user from the last applied event of an outbox. */
public final class AnonymizeScript {

    private final LuaScript script = new LuaScript("anonymize", ScriptOutputType.VALUE);

    /** The script's reply; after any reply but OK the last event may still be the user's. */
    public enum Reply {
        OK,
        BUSY,
        FENCED
    }

    /** Sends the script, which is idempotent. */
    public CompletableFuture<Reply> execute(
            RedisScriptingAsyncCommands<String, String> redis, int p, Fence fence, String user) {
        return script.string(
                        redis,
                        new String[] {RedisSchema.meta(p), RedisSchema.outbox(p)},
                        Long.toString(fence.epoch()),
                        fence.incarnation(),
                        user)
                .thenApply(Reply::valueOf);
    }
}
