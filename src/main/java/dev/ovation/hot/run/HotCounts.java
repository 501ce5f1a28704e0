package dev.ovation.hot.run;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.link.RedisServerInfo;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.Replies;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.hot.state.EntityState;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.ScriptTimes;

import io.lettuce.core.KeyValue;
import io.lettuce.core.api.async.RedisAsyncCommands;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads the counters of many hot entities in one round trip, without a script, which would take
 * Redis six times as long. The commands of a connection run in their order. Therefore the last
 * answers, epochs and incarnation, prove that all earlier answers belong to that epoch and server:
 * an epoch only grows, and an incarnation never comes back. The incarnation is also the first
 * command, because in the middle Lettuce may connect anew, to another server.
 */
public final class HotCounts {

    private final Fences fences;
    private final ScriptTimes times;

    public HotCounts(Fences fences, ScriptTimes times) {
        this.fences = fences;
        this.times = times;
    }

    /** A read whose commands are sent. */
    public interface CountsRead {
        /**
         * Waits for the answers.
         *
         * @return the entities that are certainly hot; the state of the others is unknown
         * @throws UnansweredException when Redis does not answer
         * @throws RedisUnavailableException when Redis refuses
         */
        Map<EntityKey, EntityState> states();
    }

    private record CountsRequest(
            EntityKey key,
            int p,
            @Nullable Fence fence,
            CompletionStage<Map<String, String>> counts) {}

    /**
     * Begins to read entities of one server.
     *
     * @param keys each once
     */
    public CountsRead begin(
            RedisAsyncCommands<String, String> redis,
            Partitions partitions,
            Collection<EntityKey> keys) {
        var before = redis.info(RedisServerInfo.REPLICATION);
        var asked = new ArrayList<CountsRequest>(keys.size());
        for (EntityKey key : keys) {
            int p = partitions.of(key);
            var counts = redis.hgetall(RedisSchema.counts(p, key));
            asked.add(new CountsRequest(key, p, fences.of(p), counts));
        }
        Map<Integer, CompletionStage<List<KeyValue<String, String>>>> metas = new HashMap<>();
        for (CountsRequest each : asked) {
            metas.computeIfAbsent(
                    each.p, p -> redis.hmget(RedisSchema.meta(p), "epoch", "incarnation"));
        }
        var after = redis.info(RedisServerInfo.REPLICATION).toCompletableFuture();
        var answered = times.timed("counts", after);
        return () -> states(before, asked, metas, answered);
    }

    private static Map<EntityKey, EntityState> states(
            CompletionStage<String> before,
            List<CountsRequest> asked,
            Map<Integer, CompletionStage<List<KeyValue<String, String>>>> metas,
            CompletableFuture<String> after) {
        String server = server(Replies.await(after));
        if (!server.equals(server(await(before)))) {
            return Map.of();
        }
        var states = new HashMap<EntityKey, EntityState>();
        for (CountsRequest each : asked) {
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
        return RedisServerInfo.isMaster(replication) ? RedisServerInfo.id(replication) : "";
    }

    private static <T> T await(CompletionStage<T> answer) {
        return Replies.await(answer.toCompletableFuture());
    }

    /** Returns whether the fence held until the end of the read. */
    private static boolean holds(Fence fence, List<KeyValue<String, String>> meta, String server) {
        String epoch = meta.get(0).getValueOrElse("0");
        String incarnation = meta.get(1).getValueOrElse("");
        return fence.equals(new Fence(Long.parseLong(epoch), incarnation))
                && RedisServerInfo.isOf(incarnation, server);
    }

    /** Returns null when the hash is missing, belongs to another epoch or lacks a header field. */
    private static @Nullable EntityState state(Fence fence, Map<String, String> counts) {
        String mark = Long.toString(fence.epoch());
        String people = counts.get("people");
        if (!mark.equals(counts.get("epoch")) || people == null) {
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
        return new EntityState(
                fence.epoch(),
                version,
                op,
                Long.parseLong(people),
                counters,
                List.of(),
                counts.containsKey(RedisSchema.LOCK));
    }
}
