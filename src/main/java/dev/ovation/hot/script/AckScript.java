package dev.ovation.hot.script;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code ack.lua}: trims outboxes and marks committed entities clean. */
public final class AckScript {

    private final LuaScript script = new LuaScript("ack", ScriptOutputType.MULTI);
    private final HotSettings settings;

    public AckScript(HotSettings settings) {
        this.settings = settings;
    }

    /**
     * Acknowledgement entry of one entity.
     *
     * @param op op of its last committed event; empty when none was committed
     * @param committed seq of that event, 0 when none was; for a change that Postgres stored
     *     without an event, the partition's watermark: hot states up to this seq are not ahead of
     *     the change
     * @param rejected seq of the last rejected event; 0 when none was
     */
    public record Fate(EntityKey key, String op, long committed, long rejected) {}

    /**
     * Acknowledgement of one partition's events.
     *
     * @param p the partition
     * @param after seq of the event before the first one of the fates, which have no gap
     * @param applied seq up to which its outbox is trimmed, that event excluded
     */
    public record AckItem(int p, Fence fence, long after, long applied, List<Fate> fates) {}

    /** The script's reply for one partition. */
    public sealed interface Reply {
        /**
         * Its entities are acknowledged. Its outbox is trimmed unless earlier events may lack their
         * acknowledgement.
         */
        record Acknowledged() implements Reply {}

        /** The server or the epoch is not the one that the caller attached to. */
        record Fenced() implements Reply {}

        /** This partition alone failed; some of its entities may be acknowledged. */
        record AckFailure(String error) implements Reply {}
    }

    /** Sends the script; the answer has a reply for each partition, in their order. */
    public CompletableFuture<List<Reply>> execute(
            RedisScriptingAsyncCommands<String, String> redis, List<AckItem> items) {
        var keys = new ArrayList<String>();
        var args = new ArrayList<String>();
        args.add(Long.toString(settings.ttl().toMillis()));
        for (AckItem item : items) {
            keys.add(RedisSchema.meta(item.p));
            keys.add(RedisSchema.outbox(item.p));
            args.add(Long.toString(item.fence.epoch()));
            args.add(item.fence.incarnation());
            args.add(Long.toString(item.after));
            args.add(Long.toString(item.applied));
            args.add(Integer.toString(item.fates.size()));
            for (Fate fate : item.fates) {
                keys.add(RedisSchema.counts(item.p, fate.key()));
                keys.add(RedisSchema.users(item.p, fate.key()));
                keys.add(RedisSchema.lease(item.p, fate.key()));
                keys.add(RedisSchema.filter(item.p, fate.key()));
                args.add(fate.op());
                args.add(Long.toString(fate.committed()));
                args.add(Long.toString(fate.rejected()));
            }
        }
        return script.list(redis, keys.toArray(String[]::new), args.toArray(String[]::new))
                .thenApply(texts -> texts.stream().map(text -> reply((String) text)).toList());
    }

    private static Reply reply(String text) {
        String[] parts = text.split(RedisSchema.PART, 2);
        return switch (parts[0]) {
            case "OK" -> new Reply.Acknowledged();
            case "FENCED" -> new Reply.Fenced();
            case "FAILED" -> new Reply.AckFailure(parts[1].strip());
            default -> throw new IllegalStateException("ack.lua answered " + text);
        };
    }
}
