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

/** {@code ack.lua}: trims outboxes and turns committed entities clean. */
public final class AckScript {

    private final LuaScript script = new LuaScript("ack", ScriptOutputType.MULTI);
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
     * What became of one partition's events.
     *
     * @param p the partition
     * @param applied seq up to which its outbox is trimmed, that one excluded
     */
    public record Item(int p, Fence fence, long applied, List<Fate> fates) {}

    /** What the script says of one partition. */
    public sealed interface Reply {
        /** It knows. */
        record Told() implements Reply {}

        /** Not the server or the epoch that the caller attached to. */
        record Fenced() implements Reply {}

        /** Something is wrong with this partition alone; a part of it may know. */
        record Failed(String error) implements Reply {}
    }

    /** Sends the script; the answer has a reply for each partition, in their order. */
    public CompletableFuture<List<Reply>> execute(
            RedisScriptingAsyncCommands<String, String> redis, List<Item> items) {
        var keys = new ArrayList<String>();
        var args = new ArrayList<String>();
        args.add(Long.toString(settings.ttl().toMillis()));
        for (Item item : items) {
            keys.add(RedisSchema.meta(item.p));
            keys.add(RedisSchema.outbox(item.p));
            args.add(Long.toString(item.fence.epoch()));
            args.add(item.fence.incarnation());
            args.add(Long.toString(item.applied));
            args.add(Integer.toString(item.fates.size()));
            for (Fate fate : item.fates) {
                keys.add(RedisSchema.counts(item.p, fate.key()));
                keys.add(RedisSchema.users(item.p, fate.key()));
                keys.add(RedisSchema.lease(item.p, fate.key()));
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
            case "OK" -> new Reply.Told();
            case "FENCED" -> new Reply.Fenced();
            case "FAILED" -> new Reply.Failed(parts[1].strip());
            default -> throw new IllegalStateException("ack.lua answered " + text);
        };
    }
}
