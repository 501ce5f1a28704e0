package dev.ovation.hot.script;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Fence;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code ack.lua}: trims the outbox and turns committed entities clean. */
public final class AckScript {

    private final LuaScript script = new LuaScript("ack", ScriptOutputType.VALUE);
    private final HotSettings settings;

    public AckScript(HotSettings settings) {
        this.settings = settings;
    }

    /**
     * What became of one entity's events.
     *
     * @param op op of the last committed one; empty when none was committed
     * @param committed seq of that one, 0 when none was; for a change that Postgres took without an
     *     event the partition's cursor: what is hot is not ahead of the change up to there
     * @param rejected seq of the last rejected one; 0 when none was
     */
    public record Fate(EntityKey key, String op, long committed, long rejected) {}

    /**
     * Sends the script.
     *
     * @param applied seq up to which the outbox is trimmed, that one excluded
     * @return whether the fence held
     */
    public CompletableFuture<Boolean> execute(
            RedisScriptingAsyncCommands<String, String> redis,
            int p,
            Fence fence,
            long applied,
            List<Fate> fates) {
        var keys = new ArrayList<String>(List.of(RedisSchema.meta(p), RedisSchema.outbox(p)));
        var args =
                new ArrayList<String>(
                        List.of(
                                Long.toString(fence.epoch()),
                                fence.incarnation(),
                                Long.toString(applied),
                                Long.toString(settings.ttl().toMillis())));
        for (Fate fate : fates) {
            keys.add(RedisSchema.counts(p, fate.key()));
            keys.add(RedisSchema.users(p, fate.key()));
            keys.add(RedisSchema.lease(p, fate.key()));
            args.add(fate.op());
            args.add(Long.toString(fate.committed()));
            args.add(Long.toString(fate.rejected()));
        }
        return script.string(redis, keys.toArray(String[]::new), args.toArray(String[]::new))
                .thenApply(reply -> reply.equals("OK"));
    }
}
