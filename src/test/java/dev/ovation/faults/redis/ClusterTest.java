package dev.ovation.faults.redis;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.Stage.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.faults.Invariants;
import dev.ovation.faults.Parts;
import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Patience;
import dev.ovation.testing.RedisCluster;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Two instances on a Redis Cluster of three masters, each with a replica. */
@Tag("embedded")
@Beside
class ClusterTest {

    private static final List<String> ENTITIES =
            IntStream.range(0, 48).mapToObj(i -> "of a cluster " + i).toList();

    private static RedisCluster cluster;
    private static JdbcTemplate sql;
    private static Instance one;
    private static Instance other;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 1);
        String url = TestPostgres.url();
        sql = new JdbcTemplate(new DriverManagerDataSource(url, "postgres", "postgres"));
        String[] settings = Patience.longWith("ovation.near-cache.max-age=0");
        one = Instance.start(url, cluster.uri(), Stage.CONFIG, settings).attached();
        other = Instance.start(url, cluster.uri(), Stage.CONFIG, settings).attached();
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
        cluster.close();
    }

    @AfterEach
    void nothingIsLost() {
        cluster.awaitWell(Wait.BOUND);
        one.attached();
        other.attached();
        assertThat(sql.queryForList(Invariants.COUNTS_UNEQUAL_ROWS)).isEmpty();
        Wait.until(
                "Redis equals Postgres",
                () -> {
                    new Invariants(sql, cluster.commands()).assertRedisEqualsPostgres();
                    return true;
                });
    }

    @Test
    void partitionsAreSpreadAndEachInstanceServesAll() {
        for (String entity : ENTITIES) {
            assertOk(one.add(NOTES, entity, "spread", "👍"));
            assertThat(Stage.own(other.read(NOTES, entity, "spread"))).containsExactly("👍");
        }
        for (RedisProcess master : cluster.masters()) {
            assertThat(RedisCluster.<Long>ask(master, redis -> redis.dbsize())).isPositive();
        }
        assertThat(screen(other, "spread")).isEqualTo(expected("👍"));
        assertThat(screen(other, null)).hasSize(ENTITIES.size()).doesNotContainValue("");
        assertThat(metric(other, "ovation_redis_up{")).hasSize(3).containsOnly("1.0");
    }

    @Test
    void aLostNodeStopsItsOwnPartitions() {
        ENTITIES.forEach(entity -> assertOk(one.add(NOTES, entity, "lost", "🔥")));
        var lost = cluster.master(RedisCluster.slot(partition(NOTES, ENTITIES.getFirst())));
        var its = new ArrayList<String>();
        var others = new ArrayList<String>();
        for (String entity : ENTITIES) {
            var list = isAt(lost, entity) ? its : others;
            list.add(entity);
        }
        assertThat(others).isNotEmpty();
        var replica = cluster.replica(lost);
        replica.kill(); // so that no other node takes its place
        lost.kill();
        try {
            Wait.until("the node is down", () -> node(one, lost).startsWith("down since "));
            Wait.until("the node is down", () -> node(other, lost).startsWith("down since "));

            for (String entity : its.subList(0, 2)) { // each waits for an epoch
                var answer = one.add(NOTES, entity, "lost too", "🔥");
                assertThat(answer.status()).as(answer.body()).isEqualTo(503);
                assertThat(answer.json().at("/code").asString()).isEqualTo("unavailable");
            }
            for (String entity : others) {
                assertOk(one.add(NOTES, entity, "lost too", "🔥"));
                assertThat(Stage.own(other.read(NOTES, entity, "lost too"))).containsExactly("🔥");
            }
            assertThat(screen(one, "lost")).isEqualTo(expected("🔥"));
            assertThat(one.get("/actuator/health/readiness").status()).isEqualTo(200);
            assertThat(metric(one, "ovation_redis_up{")).containsOnlyOnce("0.0");
        } finally {
            lost.restart();
            replica.restart();
        }
        its.forEach(
                entity -> Parts.awaitAccepted(() -> other.add(NOTES, entity, "lost later", "🔥")));
    }

    /** Another partition of its node gets a new epoch meanwhile. */
    @Test
    void aSlotThatNoNodeServesStopsItsOwnPartition() {
        String entity = ENTITIES.getFirst();
        int slot = RedisCluster.slot(partition(NOTES, entity));
        var node = cluster.master(slot);
        String neighbour =
                ENTITIES.stream()
                        .filter(each -> partition(NOTES, each) != partition(NOTES, entity))
                        .filter(each -> isAt(node, each))
                        .findFirst()
                        .orElseThrow();
        assertOk(one.add(NOTES, neighbour, "before", "👍"));
        String epoch = epoch(neighbour);
        RedisCluster.ask(node, redis -> redis.clusterDelSlots(slot));
        try {
            assertThat(one.read(NOTES, entity, "unserved").status()).isEqualTo(200);
            String meta = RedisSchema.meta(partition(NOTES, neighbour));
            RedisCluster.ask(node, redis -> redis.del(meta));
            Wait.until("it has a new epoch", () -> !epoch(neighbour).equals(epoch));
            Parts.awaitAccepted(() -> one.add(NOTES, neighbour, "served", "👍"));
            Parts.awaitAccepted(() -> other.add(NOTES, neighbour, "served too", "👍"));
        } finally {
            RedisCluster.ask(node, redis -> redis.clusterAddSlots(slot));
        }
        Parts.awaitAccepted(() -> other.add(NOTES, entity, "served later", "👍"));
    }

    @Test
    void aSlotMovesUnderLoad() throws Exception {
        String entity = ENTITIES.get(1);
        int slot = RedisCluster.slot(partition(NOTES, entity));
        var from = cluster.master(slot);
        var to = cluster.masters().stream().filter(node -> node != from).findFirst().orElseThrow();
        long before = sql.queryForObject("select count(*) from epoch", Long.class);
        try (var load = new Writers(entity)) {
            load.awaitMore();
            cluster.move(slot, from, to);
            load.awaitMore();
            cluster.move(slot, to, from);
            load.awaitMore();
        }
        assertThat(sql.queryForObject("select count(*) from epoch", Long.class))
                .as("epochs that have ended")
                .isGreaterThan(before);
    }

    @Test
    void aMoveThatIsGivenUpEndsTheEpochBeforeItsKeysReturn() throws Exception {
        String entity = ENTITIES.get(2);
        int slot = RedisCluster.slot(partition(NOTES, entity));
        var from = cluster.master(slot);
        var to = cluster.masters().stream().filter(node -> node != from).findFirst().orElseThrow();
        try (var load = new Writers(entity)) {
            load.awaitMore();
            String epoch = epoch(entity);
            cluster.beginMove(slot, from, to);
            String users =
                    RedisSchema.users(partition(NOTES, entity), new EntityKey(NOTES, entity));
            RedisCluster.moveKeys(List.of(users), from, to); // meta stays: Redis names the epoch
            Wait.until(
                    "both instances have seen it",
                    () -> isDetached(one, entity) && isDetached(other, entity));
            cluster.giveUpMove(slot, from, to);
            load.awaitMore();
            assertThat(epoch(entity)).isNotEqualTo(epoch);

            // The moved key returns over the newer one.
            cluster.returnKeys(slot, from, to);
            load.awaitMore();
        }
    }

    @Test
    void aReplicaTakesThePlaceOfItsMasterUnderLoad() throws Exception {
        String entity = ENTITIES.get(3);
        int slot = RedisCluster.slot(partition(NOTES, entity));
        try (var load = new Writers(entity)) {
            load.awaitMore();
            var master = cluster.master(slot);
            var replica = cluster.replica(master);
            RedisCluster.ask(replica, redis -> redis.clusterFailover(false));
            Wait.until("the replica is the master", () -> cluster.master(slot) == replica);
            load.awaitMore();
            replica.kill();
            Wait.until("the first master is one again", () -> cluster.master(slot) == master);
            load.awaitMore();
            replica.restart();
        }
    }

    private static boolean isDetached(Instance instance, String entity) {
        return instance.bean(Fences.class).of(partition(NOTES, entity)) == null;
    }

    private static String epoch(String entity) {
        return sql.queryForObject(
                "select epoch::text from partition where p = ?",
                String.class,
                partition(NOTES, entity));
    }

    /** Users who react to an entity through both instances, one after the other. */
    private static final class Writers implements AutoCloseable {
        private final String entity;
        private final List<String> accepted = new ArrayList<>();
        private final AtomicBoolean ended = new AtomicBoolean();
        private final CompletableFuture<Void> run;

        Writers(String entity) {
            this.entity = entity;
            this.run = Stage.meanwhile(this::write);
        }

        private Void write() {
            for (int i = 0; !ended.get(); i++) {
                String user = "user " + i + " of " + System.nanoTime();
                var answer = (i % 2 == 0 ? one : other).add(NOTES, entity, user, "🎉");
                if (answer.status() == 200) {
                    synchronized (accepted) {
                        accepted.add(user);
                    }
                } else {
                    assertThat(answer.status()).as(answer.body()).isEqualTo(503);
                }
            }
            return null;
        }

        private int accepted() {
            synchronized (accepted) {
                return accepted.size();
            }
        }

        /** Waits until both instances have accepted further writes. */
        void awaitMore() {
            int before = accepted();
            Wait.until("writes are accepted", () -> run.isDone() || accepted() >= before + 10);
            assertThat(run).isNotDone();
        }

        /** Every accepted write is stored, and each other one at most once. */
        @Override
        public void close() {
            ended.set(true);
            run.join();
            var stored =
                    sql.queryForList(
                            """
                            select user_id from named_reaction
                            where  namespace = ? and entity = ? and reaction = '🎉'
                            """,
                            String.class,
                            NOTES,
                            entity);
            assertThat(stored).containsAll(accepted);
            Parts.awaitAccepted(() -> one.add(NOTES, entity, "last", "🎉"));
            assertThat(Stage.counts(other.read(NOTES, entity, null)).get("🎉"))
                    .isEqualTo(
                            sql.queryForObject(
                                    """
                                    select count(*) from named_reaction
                                    where  namespace = ? and entity = ? and reaction = '🎉'
                                    """,
                                    Long.class,
                                    NOTES,
                                    entity));
        }
    }

    private static boolean isAt(RedisProcess node, String entity) {
        return cluster.master(RedisCluster.slot(partition(NOTES, entity))) == node;
    }

    /** The health of a node, as an instance reports it. */
    private static String node(Instance instance, RedisProcess node) {
        return instance.get("/actuator/health")
                .json()
                .at("/components/redis/details/127.0.0.1:" + node.port())
                .asString("");
    }

    /** The own reactions on a screen with all entities; the counted ones without a viewer. */
    private static Map<String, String> screen(Instance instance, String viewer) {
        String list =
                ENTITIES.stream()
                        .map(entity -> '"' + entity + '"')
                        .collect(Collectors.joining(",", "[", "]"));
        var answer =
                instance.send(
                        "POST",
                        "/reactions/query",
                        "{\"namespace_id\":\"%s\",%s\"entities\":%s}"
                                .formatted(
                                        NOTES,
                                        viewer == null ? "" : "\"viewer_id\":\"" + viewer + "\",",
                                        list));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json()
                .at("/entities")
                .valueStream()
                .collect(
                        Collectors.toMap(
                                entity -> entity.at("/entity_id").asString(),
                                entity ->
                                        viewer == null
                                                ? entity.at("/reactions_count/0/reaction_id")
                                                        .asString("")
                                                : entity.at("/user_reactions/reactions/0")
                                                        .asString("")));
    }

    private static Map<String, String> expected(String reaction) {
        return ENTITIES.stream().collect(Collectors.toMap(entity -> entity, _ -> reaction));
    }

    private static List<String> metric(Instance instance, String name) {
        return instance.get("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.replaceFirst(".* ", ""))
                .toList();
    }

    private static void assertOk(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }
}
