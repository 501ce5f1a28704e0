package dev.ovation.hot.script;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** {@code fill_filter.lua}: takes one step of filling the filter of a partial entity. */
public final class FillFilterScript {

    private final LuaScript script = new LuaScript("fill_filter", ScriptOutputType.VALUE);
    private final Duration patience;

    /**
     * Makes one.
     *
     * @param patience time without a step after which a caller takes another one's filter for
     *     abandoned
     */
    public FillFilterScript(Duration patience) {
        this.patience = patience;
    }

    /** A step of filling. */
    public enum Step {
        /** Begins the filter, or asks again after {@code WAIT}. */
        BEGIN,
        /** Adds users. */
        ADD,
        /** Adds users; then all are added. */
        LAST
    }

    /** The script's reply. */
    public enum Reply {
        /** The server or the epoch is not the one that the caller attached to. */
        FENCED,
        /** The entity is not in Redis, or with all its users. */
        ABSENT,
        /** The filter is complete. */
        COMPLETE,
        /** The entity has too many reactions for a filter. */
        LARGE,
        /** Another caller fills it. */
        BUSY,
        /** Changes from before the beginning may not be in Postgres yet. */
        WAIT,
        /** Users may be read from Postgres and added. */
        READ,
        /** The filter is not the caller's any more. */
        LOST
    }

    /**
     * Sends the script.
     *
     * @param id unique id of the caller's filter
     * @param nowMillis the caller's clock, milliseconds since 1970
     * @param users users to add, for the steps that add
     */
    public CompletableFuture<Reply> execute(
            RedisScriptingAsyncCommands<String, String> redis,
            int p,
            Fence fence,
            EntityKey key,
            String id,
            long nowMillis,
            Step step,
            Collection<String> users) {
        var args =
                new ArrayList<String>(
                        List.of(
                                Long.toString(fence.epoch()),
                                fence.incarnation(),
                                id,
                                Long.toString(nowMillis),
                                Long.toString(patience.toMillis()),
                                step.name().toLowerCase(Locale.ROOT)));
        args.addAll(users);
        return script.string(
                        redis,
                        new String[] {
                            RedisSchema.meta(p),
                            RedisSchema.counts(p, key),
                            RedisSchema.users(p, key),
                            RedisSchema.filter(p, key)
                        },
                        args.toArray(String[]::new))
                .thenApply(Reply::valueOf);
    }
}
