package dev.ovation.hot.script;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code ack.lua}: trims outboxes and marks committed entities clean. */
public final class AckScript {

    private static final String[] NO_KEYS = {};
    private static final char SEPARATOR = RedisSchema.SEPARATOR.charAt(0);
    private static final char PART = RedisSchema.PART.charAt(0);
    private static final char END = RedisSchema.END;

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
        var text = new StringBuilder();
        for (AckItem item : items) {
            text.append(item.p).append(PART);
            text.append(item.fence.epoch()).append(PART);
            text.append(item.fence.incarnation()).append(PART);
            text.append(item.after).append(PART);
            text.append(item.applied).append(PART);
            for (Fate fate : item.fates) {
                text.append(RedisSchema.name(fate.key())).append(SEPARATOR);
                text.append(fate.op()).append(SEPARATOR);
                text.append(fate.committed()).append(SEPARATOR);
                text.append(fate.rejected()).append(PART);
            }
            text.append(END);
        }
        String ttl = Long.toString(settings.ttl().toMillis());
        return script.list(redis, NO_KEYS, ttl, text.toString())
                .thenApply(texts -> texts.stream().map(each -> reply((String) each)).toList());
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
