package dev.ovation.hot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.link.RedisServerInfo;
import dev.ovation.hot.state.EntityState;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.testing.RedisProcess;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Counts without a script, on a real Redis with two partitions at epoch 5. */
class HotCountsTest {

    private static final Partitions PARTITIONS = new Partitions(2);
    private static final EntityKey HOT = new EntityKey("posts", "hot");
    private static final EntityKey COLD = new EntityKey("posts", "cold");
    private static final EntityState SHOWN =
            new EntityState(5, 12, "op", 3, List.of(new Counter("👍", 3, 100, 200)), List.of());

    private static RedisProcess server;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> connection;

    private final Fences fences = new Fences(2);

    @BeforeAll
    static void start() {
        server = RedisProcess.start();
        client = RedisClient.create(server.uri());
        connection = client.connect();
    }

    @BeforeEach
    void open() {
        connection.sync().replicaofNoOne();
        connection.sync().flushall();
        for (int p = 0; p < 2; p++) {
            meta(p, "5", incarnation());
            fences.attach(p, new Fence(5, incarnation()));
        }
        install("5");
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        server.close();
    }

    @Test
    void onlyCountsOfHotEntitiesAreRead() {
        assertThat(read()).isEqualTo(Map.of(HOT, SHOWN));
    }

    @Test
    void countsInstalledInAnotherEpochAreNotReturned() {
        install("4");

        assertThat(read()).isEmpty();
    }

    @Test
    void nothingIsKnownInAnotherEpoch() {
        meta(PARTITIONS.of(HOT), "6", incarnation());

        assertThat(read()).isEmpty();
    }

    @Test
    void nothingIsKnownWhereNoEpochIsOpen() {
        connection.sync().del(RedisSchema.meta(PARTITIONS.of(HOT)));

        assertThat(read()).isEmpty();
    }

    @Test
    void nothingIsKnownOnAnotherServer() {
        String before = incarnation();
        connection.sync().replicaof("127.0.0.1", 1);
        assertThat(read()).isEmpty();

        connection.sync().replicaofNoOne();
        assertThat(incarnation()).isNotEqualTo(before);
        assertThat(read()).isEmpty();
    }

    @Test
    void nothingIsKnownOfAPartitionThatIsDetached() {
        fences.loseAll();

        assertThat(read()).isEmpty();
    }

    @Test
    void countsWithoutThePeopleAreNotReturned() {
        connection.sync().hdel(RedisSchema.counts(PARTITIONS.of(HOT), HOT), "people");

        assertThat(read()).isEmpty();
    }

    private Map<EntityKey, EntityState> read() {
        return new HotCounts(fences, new ScriptTimes(new SimpleMeterRegistry()))
                .begin(connection.async(), PARTITIONS, List.of(HOT, COLD))
                .states();
    }

    private static void install(String epoch) {
        var fields =
                Map.of(
                        "epoch",
                        epoch,
                        "version",
                        "12",
                        "op",
                        "op",
                        "people",
                        "3",
                        "r:👍",
                        String.join(RedisSchema.SEPARATOR, "3", "100", "200"));
        connection.sync().hset(RedisSchema.counts(PARTITIONS.of(HOT), HOT), fields);
    }

    private static void meta(int p, String epoch, String incarnation) {
        var fields = Map.of("epoch", epoch, "incarnation", incarnation);
        connection.sync().hset(RedisSchema.meta(p), fields);
    }

    private static String incarnation() {
        return RedisServerInfo.id(connection.sync().info(RedisServerInfo.REPLICATION));
    }
}
