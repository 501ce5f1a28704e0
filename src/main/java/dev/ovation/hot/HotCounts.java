package dev.ovation.hot;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;

import io.lettuce.core.KeyValue;
import io.lettuce.core.api.async.RedisAsyncCommands;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Reads the counters of many hot entities in one round trip, without a script, which would take
 * Redis six times as long. The commands of a connection run in their order, so what is asked last,
 * epochs and incarnation, vouches for all that was read before: an epoch only grows, and an
 * incarnation never comes back. The incarnation is asked first as well, because a connection may be
 * made anew, to another server, in the middle.
 */
final class HotCounts {

    private final Fences fences;
    private final ScriptTimes times;

    HotCounts(Fences fences, ScriptTimes times) {
        this.fences = fences;
        this.times = times;
    }

    private record Asked(
            EntityKey key,
            int p,
            @Nullable Fence fence,
            CompletionStage<Map<String, String>> counts) {}

    /**
     * Reads entities.
     *
     * @param keys each once
     * @return those that are hot for certain; nothing is known of the others
     * @throws UnansweredException when Redis does not answer
     * @throws RedisUnavailableException when it refuses
     */
    Map<EntityKey, EntityState> read(
            RedisAsyncCommands<String, String> redis,
            Partitions partitions,
            Collection<EntityKey> keys) {
        var before = redis.info(RedisServer.REPLICATION);
        var asked = new ArrayList<Asked>(keys.size());
        for (EntityKey key : keys) {
            int p = partitions.of(key);
            var counts = redis.hgetall(RedisSchema.counts(p, key));
            asked.add(new Asked(key, p, fences.of(p), counts));
        }
        Map<Integer, CompletionStage<List<KeyValue<String, String>>>> metas = new HashMap<>();
        for (Asked each : asked) {
            metas.computeIfAbsent(
                    each.p, p -> redis.hmget(RedisSchema.meta(p), "epoch", "incarnation"));
        }
        var after = redis.info(RedisServer.REPLICATION).toCompletableFuture();
        String server = server(Replies.await(times.timed("counts", after)));
        if (!server.equals(server(await(before)))) {
            return Map.of();
        }
        var states = new HashMap<EntityKey, EntityState>();
        for (Asked each : asked) {
            var meta = metas.get(each.p);
            if (each.fence != null && meta != null && holds(each.fence, await(meta), server)) {
                EntityState state = state(each.fence, await(each.counts));
                if (state != null) {
                    states.put(each.key, state);
                }
            }
        }
        return states;
    }

    /** The incarnation of a master; empty for a replica. */
    private static String server(String replication) {
        return RedisServer.isMaster(replication) ? RedisServer.id(replication) : "";
    }

    private static <T> T await(CompletionStage<T> answer) {
        return Replies.await(answer.toCompletableFuture());
    }

    /** Whether the fence held until everything was read. */
    private static boolean holds(Fence fence, List<KeyValue<String, String>> meta, String server) {
        String epoch = meta.get(0).getValueOrElse("0");
        String incarnation = meta.get(1).getValueOrElse("");
        var now = new Fence(Long.parseLong(epoch), incarnation.equals(server) ? server : "");
        return fence.equals(now);
    }

    /** Null when it is not there, or left by another epoch. */
    private static @Nullable EntityState state(Fence fence, Map<String, String> counts) {
        String mark = Long.toString(fence.epoch());
        if (!mark.equals(counts.get("epoch"))) {
            return null;
        }
        var counters = new ArrayList<Counter>();
        counts.forEach(
                (field, value) -> {
                    if (field.startsWith(RedisSchema.COUNTER)) {
                        counters.add(RedisSchema.counter(field, RedisSchema.split(value)));
                    }
                });
        long version = Long.parseLong(counts.getOrDefault("version", "0"));
        String op = counts.getOrDefault("op", "");
        return new EntityState(fence.epoch(), version, op, counters, List.of());
    }
}
