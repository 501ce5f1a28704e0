package dev.ovation.hot.script;

import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** {@code sweep.lua}: removes stale keys. */
public final class SweepScript {

    private final LuaScript script = new LuaScript("sweep", ScriptOutputType.VALUE);

    /**
     * Sends the script for count hashes, user hashes and filters of one partition; the answer is
     * the number of removed keys.
     */
    public CompletableFuture<Integer> execute(
            RedisScriptingAsyncCommands<String, String> redis, int p, List<String> keys) {
        return script.string(
                        redis,
                        Stream.concat(Stream.of(RedisSchema.meta(p)), keys.stream())
                                .toArray(String[]::new))
                .thenApply(Integer::parseInt);
    }
}
