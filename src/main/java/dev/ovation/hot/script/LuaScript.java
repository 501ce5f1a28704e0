package dev.ovation.hot.script;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.codec.Base16;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * A Lua script from the class path, after the prelude that all scripts share. It is sent by its
 * SHA-1. When the server does not know the SHA-1, which proves that nothing ran, the whole script
 * is sent.
 */
final class LuaScript {

    private static final String PRELUDE = read("prelude");

    private final String text;
    private final String sha;
    private final ScriptOutputType output;

    /**
     * Loads {@code <name>.lua}.
     *
     * @throws IllegalStateException when there is no such file
     */
    LuaScript(String name, ScriptOutputType output) {
        this(output, name);
    }

    /** Loads several files as one script, in their order. */
    LuaScript(ScriptOutputType output, String... names) {
        this.text =
                PRELUDE
                        + "\n"
                        + Arrays.stream(names)
                                .map(LuaScript::read)
                                .collect(Collectors.joining("\n"));
        this.sha = Base16.digest(text.getBytes(StandardCharsets.UTF_8));
        this.output = output;
    }

    /** Runs a script that answers with a list. */
    CompletableFuture<List<Object>> list(
            RedisScriptingAsyncCommands<String, String> redis, String[] keys, String... args) {
        return send(redis, keys, args);
    }

    /** Runs a script that answers with one string. */
    CompletableFuture<String> string(
            RedisScriptingAsyncCommands<String, String> redis, String[] keys, String... args) {
        return send(redis, keys, args);
    }

    String sha() {
        return sha;
    }

    private <T> CompletableFuture<T> send(
            RedisScriptingAsyncCommands<String, String> redis, String[] keys, String... args) {
        CompletionStage<T> reply = redis.evalsha(sha, output, keys, args);
        return reply.exceptionallyCompose(
                        error ->
                                unwrap(error) instanceof RedisNoScriptException
                                        ? redis.eval(text, output, keys, args)
                                        : CompletableFuture.failedStage(unwrap(error)))
                .toCompletableFuture();
    }

    private static Throwable unwrap(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null
                ? error.getCause()
                : error;
    }

    private static String read(String name) {
        String file = "/dev/ovation/hot/script/" + name + ".lua";
        try (InputStream in = LuaScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("missing script " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
