package dev.ovation.hot.script;

import dev.ovation.hot.Fence;
import dev.ovation.hot.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.concurrent.CompletableFuture;

/** {@code anonymize.lua}: takes a user out of the last applied event of an outbox. */
public final class AnonymizeScript {

    private final LuaScript script = new LuaScript("anonymize", ScriptOutputType.VALUE);

    /** What the script says; after anything but OK the last event may still be the user's. */
    public enum Reply {
        OK,
        BUSY,
        FENCED
    }

    /** Sends the script; to send it again does no harm. */
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
