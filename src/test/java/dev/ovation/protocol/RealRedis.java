package dev.ovation.protocol;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.link.RedisErrors;
import dev.ovation.hot.script.AckScript;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.script.InstallScript;
import dev.ovation.hot.script.OpenScript;
import dev.ovation.hot.script.ReactScript;
import dev.ovation.hot.script.ReadScript;
import dev.ovation.hot.script.SweepScript;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.testing.RedisProcess;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RestoreArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A real server with the shipped scripts; leases end only by command. */
final class RealRedis implements Redis, AutoCloseable {

    private static final HotSettings SETTINGS =
            new HotSettings(
                    Duration.ofHours(1),
                    Duration.ofHours(1),
                    Duration.ofHours(1),
                    Duration.ofHours(1),
                    1000,
                    1000,
                    1000,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60));

    /** Names of incarnations in the model, by the replication ids of the servers. */
    private final Map<String, String> names;

    private final RedisProcess process =
            RedisProcess.start("--appendonly", "no", "--maxmemory-policy", "noeviction");
    private final RedisClient client = RedisClient.create(process.uri());
    private final StatefulRedisConnection<String, String> connection = client.connect();
    private final RedisCommands<String, String> redis = connection.sync();
    private final RedisCommands<byte[], byte[]> bytes =
            client.connect(ByteArrayCodec.INSTANCE).sync();
    private final ReactScript react =
            new ReactScript(SETTINGS, new FilterMetrics(new SimpleMeterRegistry()));
    private final ReadScript read =
            new ReadScript(SETTINGS, new FilterMetrics(new SimpleMeterRegistry()));
    private final InstallScript install = new InstallScript(SETTINGS);
    private final AckScript ack = new AckScript(SETTINGS);
    private final OpenScript open = new OpenScript();
    private final SweepScript sweep = new SweepScript();
    private boolean full;

    RealRedis(Map<String, String> names) {
        this.names = names;
    }

    private static <T> T answer(CompletableFuture<T> reply) {
        try {
            return reply.join();
        } catch (CompletionException e) {
            throw failure(e.getCause());
        }
    }

    private static RuntimeException failure(Throwable cause) {
        return RedisErrors.provesNothingChanged(cause)
                ? new OutOfMemory()
                : new CompletionException(cause);
    }

    private Fence real(Fence fence) {
        String id =
                names.entrySet().stream()
                        .filter(name -> name.getValue().equals(fence.incarnation()))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow();
        return new Fence(fence.epoch(), id);
    }

    @Override
    public String incarnation() {
        return names.get(id());
    }

    private String id() {
        return redis.info("replication")
                .lines()
                .filter(line -> line.startsWith("master_replid:"))
                .map(line -> line.substring("master_replid:".length()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public Meta meta(int p) {
        var values = redis.hmget(RedisSchema.meta(p), "epoch", "incarnation", "seq", "acked");
        String of = values.get(1).getValueOrElse("");
        return new Meta(
                Long.parseLong(values.get(0).getValueOrElse("0")),
                names.getOrDefault(of, of),
                Long.parseLong(values.get(2).getValueOrElse("0")),
                Long.parseLong(values.get(3).getValueOrElse("0")));
    }

    @Override
    public List<Entry> outbox(int p, int count) {
        var entries = new ArrayList<Entry>();
        for (var message :
                redis.xrange(RedisSchema.outbox(p), Range.unbounded(), Limit.from(count))) {
            String[] id = message.getId().split("-");
            entries.add(
                    new Entry(
                            Long.parseLong(id[0]),
                            Long.parseLong(id[1]),
                            Event.members(message.getBody())));
        }
        return entries;
    }

    @Override
    public ReactScript.Reply react(
            int p, Fence fence, Proposal proposal, String token, String stale) {
        var item = new ReactScript.ReactItem(p, real(fence), proposal, token, stale);
        var answer = answer(react.execute(connection.async(), List.of(item))).getFirst();
        if (answer instanceof ReactScript.ReactFailure failed) {
            throw failure(new RedisCommandExecutionException(failed.error()));
        }
        return (ReactScript.Reply) answer;
    }

    @Override
    public ReadScript.Reply read(
            int p, Fence fence, EntityKey key, String viewer, String token, String stale) {
        var item = new ReadScript.ReadItem(p, real(fence), key, viewer, token, stale, "");
        return answer(read.execute(connection.async(), List.of(item))).getFirst();
    }

    @Override
    public InstallScript.Reply install(
            int p, Fence fence, EntityKey key, EntitySnapshot snapshot, String token) {
        return answer(install.execute(connection.async(), p, real(fence), key, snapshot, token));
    }

    @Override
    public boolean ack(int p, Fence fence, long after, long applied, List<Fate> fates) {
        var item = new AckScript.AckItem(p, real(fence), after, applied, fates);
        var reply = answer(ack.execute(connection.async(), List.of(item))).getFirst();
        if (reply instanceof AckScript.Reply.AckFailure failed) {
            throw failure(new RedisCommandExecutionException(failed.error()));
        }
        return reply instanceof AckScript.Reply.Acknowledged;
    }

    @Override
    public OpenScript.Reply open(int p, Fence fence) {
        return answer(open.execute(connection.async(), p, real(fence), 1));
    }

    @Override
    public int sweep(int p, List<EntityKey> entities) {
        var keys = new ArrayList<String>();
        entities.forEach(key -> keys.add(RedisSchema.counts(p, key)));
        entities.forEach(key -> keys.add(RedisSchema.users(p, key)));
        return answer(sweep.execute(connection.async(), p, keys));
    }

    @Override
    public void lose(int p, @Nullable EntityKey key, Part part, boolean onlyClean) {
        List<String> keys =
                switch (part) {
                    case COUNTS -> List.of(RedisSchema.counts(p, key));
                    case USERS -> List.of(RedisSchema.users(p, key));
                    case LEASE -> List.of(RedisSchema.lease(p, key));
                    case META -> List.of(RedisSchema.meta(p));
                    case OUTBOX -> List.of(RedisSchema.outbox(p));
                    case IN_HAND -> redis.keys("{" + p + "}:i:*");
                };
        for (String one : keys) {
            if (!onlyClean || redis.pttl(one) != -1) {
                redis.unlink(one);
            }
        }
    }

    @Override
    public void flush() {
        redis.flushall();
    }

    @Override
    public void full(boolean isFull) {
        full = isFull;
        redis.configSet("maxmemory", isFull ? "1" : "0");
    }

    @Override
    public void renew(String name) {
        redis.replicaof("127.0.0.1", 1);
        redis.replicaofNoOne();
        names.values().remove(name); // of a world that has ended
        names.put(id(), name);
    }

    private record Dump(byte[] key, byte[] value, long ttl) {}

    @Override
    public Object save() {
        return bytes.keys("*").stream()
                .map(key -> new Dump(key, bytes.dump(key), Math.max(0, bytes.pttl(key))))
                .toList();
    }

    @Override
    public void restore(Object saved) {
        redis.configSet("maxmemory", "0");
        redis.flushall();
        for (Object one : (List<?>) saved) {
            var dump = (Dump) one;
            bytes.restore(dump.key(), dump.value(), RestoreArgs.Builder.ttl(dump.ttl()));
        }
        full(full);
    }

    @Override
    public Map<String, String> contents() {
        var all = new TreeMap<String, String>();
        for (String key : redis.keys("*")) {
            int p = Integer.parseInt(key.substring(1, key.indexOf('}')));
            String kind = key.substring(key.indexOf('}') + 1);
            if (kind.equals(":meta")) {
                var meta = meta(p);
                all.put(
                        key,
                        meta.epoch()
                                + " "
                                + meta.incarnation()
                                + " "
                                + meta.seq()
                                + " "
                                + meta.acked());
            } else if (kind.equals(":outbox")) {
                all.put(key, outbox(p, 1000).toString());
            } else if (kind.startsWith(":l:")) {
                all.put(key, redis.get(key));
            } else if (!kind.startsWith(":i:")) {
                String dirty = redis.pttl(key) == -1 ? "dirty " : "";
                all.put(key, dirty + new TreeMap<>(redis.hgetall(key)));
            }
        }
        // An outbox whose last entry is trimmed remains as an empty stream.
        all.values().removeIf("[]"::equals);
        return all;
    }

    @Override
    public void close() {
        client.shutdown();
        process.close();
    }
}
