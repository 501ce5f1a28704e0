package dev.ovation.hot.script;

import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** {@code configure.lua}: writes the configuration version in force into a partition. */
public final class ConfigureScript {

    private final LuaScript script = new LuaScript("configure", ScriptOutputType.VALUE);

    /** Sends the script; the answer is the open epoch, empty when none is open. */
    public CompletableFuture<OptionalLong> execute(
            RedisScriptingAsyncCommands<String, String> redis, int p, long config) {
        return script.string(redis, new String[] {RedisSchema.meta(p)}, Long.toString(config))
                .thenApply(
                        epoch ->
                                epoch.isEmpty()
                                        ? OptionalLong.empty()
                                        : OptionalLong.of(Long.parseLong(epoch)));
    }
}
