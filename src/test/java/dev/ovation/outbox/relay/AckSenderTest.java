package dev.ovation.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Acknowledgements of the relay to Redis after a commit, on an idle instance, for events without
 * entries.
 */
@Beside
class AckSenderTest {

    private static final int PARTITIONS = 64;

    @TempDir private Path rules;
    private RedisProcess process;
    private RedisClient client;
    private RedisCommands<String, String> redis;
    private Instance instance;
    private Outboxes outboxes;

    @BeforeEach
    void start() throws Exception {
        TestRules.shared().writeTo(rules);
        process = RedisProcess.start();
        client = RedisClient.create(process.uri());
        redis = client.connect().sync();
        instance =
                Instance.start(
                        TestPostgres.url(),
                        process.uri(),
                        rules,
                        Patience.longWith("ovation.internal.hot.command-timeout=60s"));
        instance.attached();
        outboxes = instance.bean(Outboxes.class);
    }

    @AfterEach
    void stop() {
        instance.close();
        client.shutdown();
        process.close();
    }

    @Test
    void ofAllPartitionsGoTogether() {
        var results = IntStream.range(0, PARTITIONS).mapToObj(p -> committed(p, 1)).toList();
        long before = runs();

        List<CompletableFuture<Boolean>> acknowledged = outboxes.acknowledge(results);

        assertThat(acknowledged).allSatisfy(one -> assertThat(one.join()).isTrue());
        assertThat(results).allSatisfy(this::assertClean);
        assertThat(runs() - before).isEqualTo(1);
    }

    @Test
    void areSoManyInARunAndOneAfterTheOtherInAPartition() {
        var results = new ArrayList<RelayTransaction.PartitionResult>();
        results.add(committed(0, 450));
        IntStream.range(1, PARTITIONS).mapToObj(p -> committed(p, 10)).forEach(results::add);
        long before = runs();

        List<CompletableFuture<Boolean>> acknowledged = outboxes.acknowledge(results);

        assertThat(acknowledged).allSatisfy(one -> assertThat(one.join()).isTrue());
        assertThat(results).allSatisfy(this::assertClean);
        assertThat(runs() - before).isEqualTo(3 + 4);
    }

    @Test
    void eachPartitionHasItsOwnAcknowledgementResult() {
        var fine = committed(1, 1);
        var fenced = committed(2, 1, new Fence(fence(2).epoch() + 1, fence(2).incarnation()));
        var broken = committed(3, 1);
        String counts = RedisSchema.counts(3, broken.events().getFirst().key());
        redis.del(counts);
        redis.set(counts, "no hash");
        var last = committed(4, 1);

        List<CompletableFuture<Boolean>> acknowledged =
                outboxes.acknowledge(List.of(fine, fenced, broken, last));

        assertThat(acknowledged.get(0).join()).isTrue();
        assertThat(acknowledged.get(1).join()).isFalse();
        assertThatThrownBy(() -> acknowledged.get(2).join()).hasMessageContaining("WRONGTYPE");
        assertThat(acknowledged.get(3).join()).isTrue();
        assertClean(fine);
        assertThat(redis.ttl(RedisSchema.counts(2, fenced.events().getFirst().key())))
                .isEqualTo(-1);
        assertClean(last);
    }

    private Fence fence(int p) {
        return instance.bean(Fences.class).of(p);
    }

    private RelayTransaction.PartitionResult committed(int p, int entities) {
        return committed(p, entities, fence(p));
    }

    /** A commit of this many entities of a partition, each dirty by its event. */
    private RelayTransaction.PartitionResult committed(int p, int entities, Fence fence) {
        var events = IntStream.range(0, entities).mapToObj(i -> event(p, i)).toList();
        for (Event event : events) {
            redis.hset(
                    RedisSchema.counts(p, event.key()),
                    Map.of(
                            "epoch",
                            Long.toString(fence(p).epoch()),
                            "since",
                            "0",
                            "op",
                            event.op(),
                            "seq",
                            "0"));
        }
        var slice = new OutboxSlice(p, fence, 0, 0, 0, List.of(), true);
        var finding = new OutboxSlice.ContinuityCheck.Continues(List.of(), List.of());
        return new RelayTransaction.PartitionResult(
                slice, finding, 0, Set.of(), List.of(), events, entities);
    }

    private static Event event(int p, int i) {
        var key = new EntityKey("posts", p + "-" + i);
        return new Event(
                0, "op " + i, "", key, "ann", 0, 1, List.of(), List.of(), List.of(), 1, 1, null);
    }

    private void assertClean(RelayTransaction.PartitionResult result) {
        for (Event event : result.events()) {
            assertThat(redis.ttl(RedisSchema.counts(result.slice().p(), event.key())))
                    .as(event.key().entity())
                    .isPositive();
        }
    }

    private long runs() {
        return instance
                .bean(MeterRegistry.class)
                .find("ovation.script.duration")
                .tag("script", "ack")
                .timers()
                .stream()
                .mapToLong(Timer::count)
                .sum();
    }
}
