package dev.ovation.hot.script;

import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.concurrent.CompletableFuture;

/** {@code open.lua}: opens a new epoch with an empty outbox. */
public final class OpenScript {

    private final LuaScript script = new LuaScript("open", ScriptOutputType.VALUE);

    /** The script's reply; after any reply but OPENED the caller must take a new epoch. */
    public enum Reply {
        OPENED,
        FENCED,
        REFUSED
    }

    /**
     * Sends the script once; {@code config} is the newest version, read after the epoch was taken.
     */
    public CompletableFuture<Reply> execute(
            RedisScriptingAsyncCommands<String, String> redis, int p, Fence fence, long config) {
        return script.string(
                        redis,
                        new String[] {RedisSchema.meta(p), RedisSchema.outbox(p)},
                        Long.toString(fence.epoch()),
                        fence.incarnation(),
                        Long.toString(config))
                .thenApply(Reply::valueOf);
    }
}
