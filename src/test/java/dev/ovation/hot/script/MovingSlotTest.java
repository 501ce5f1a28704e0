package dev.ovation.hot.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.link.RedisServerInfo;
import dev.ovation.hot.script.ProgressScript.Progress;
import dev.ovation.hot.script.ReactScript.ReactItem;
import dev.ovation.hot.script.ReactScript.ReactReply;
import dev.ovation.hot.script.ReadScript.ReadItem;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.testing.RedisCluster;
import dev.ovation.testing.RedisProcess;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Scripts on a node of a Redis Cluster while the slot of a partition moves to another node. The
 * node refuses each command for a key that it lacks. So a script that begins would be torn.
 */
@Tag("embedded")
class MovingSlotTest {

    private static final EntityKey POST = new EntityKey("posts", "post");

    /** The partition whose slot moves, and another one of the same node. */
    private static final int MOVING = 10;

    private static final int OTHER = 14;

    private static RedisCluster cluster;
    private static RedisProcess from;
    private static RedisProcess to;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> source;
    private static StatefulRedisConnection<String, String> target;

    private final ReadScript read =
            new ReadScript(HotFixture.SETTINGS, new FilterMetrics(new SimpleMeterRegistry()));
    private final ReactScript react =
            new ReactScript(HotFixture.SETTINGS, new FilterMetrics(new SimpleMeterRegistry()));
    private final AckScript ack = new AckScript(HotFixture.SETTINGS);
    private final InstallScript install = new InstallScript(HotFixture.SETTINGS);
    private final OpenScript open = new OpenScript();
    private final int slot = RedisCluster.slot(MOVING);
    private Fence fence;
    private int ops;

    @BeforeAll
    static void start() {
        // A node that waits for a processor does not count as failed.
        cluster = RedisCluster.start(2, 0, "--cluster-node-timeout", "60000");
        from = cluster.master(RedisCluster.slot(MOVING));
        to = cluster.nodes().stream().filter(node -> node != from).findFirst().orElseThrow();
        client = RedisClient.create();
        source = client.connect(RedisURI.create(from.uri()));
        target = client.connect(RedisURI.create(to.uri()));
        assertThat(cluster.master(RedisCluster.slot(OTHER))).isSameAs(from);
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        cluster.close();
    }

    @BeforeEach
    void open() {
        source.sync().flushall();
        target.sync().flushall();
        fence = new Fence(5, incarnation(source));
        for (int p : List.of(MOVING, OTHER)) {
            assertThat(open.execute(source.async(), p, fence, 0).join())
                    .isEqualTo(OpenScript.Reply.OPENED);
            load(p, fence);
        }
        assertThat(react(MOVING, "ann", null)).isInstanceOf(ReactScript.Reply.Accepted.class);
        assertThat(react(OTHER, "ann", null)).isInstanceOf(ReactScript.Reply.Accepted.class);
    }

    @AfterEach
    void moveBack() {
        if (cluster.master(slot) == to) {
            cluster.move(slot, to, from);
        } else {
            cluster.giveUpMove(slot, from, to);
        }
    }

    @Test
    void oneRunReadsAndChangesEntitiesOfSeveralSlots() {
        assertThat(run(source, item(MOVING, "ben", null), item(OTHER, "ben", null)))
                .hasOnlyElementsOfType(ReactScript.Reply.Accepted.class);
        assertThat(read(source, MOVING, OTHER)).hasOnlyElementsOfType(ReadScript.Reply.Hit.class);
    }

    @Test
    void noScriptRunsOnceTheMoveHasBegun() {
        cluster.beginMove(slot, from, to);

        assertFenced(source);
    }

    @Test
    void noScriptRunsWhenSomeKeysAreGone() {
        cluster.beginMove(slot, from, to);
        while (RedisCluster.moveKeys(slot, from, to, 1)) {
            assertFenced(source);
        }
    }

    /** Its idempotency key would be written after its event, and refused. */
    @Test
    void aChangeIsNotTorn() {
        cluster.beginMove(slot, from, to);
        var before = everything();

        assertThat(react(MOVING, "ben", new Proposal.Idempotency("key", "hash", "request")))
                .isInstanceOf(ReactScript.Reply.Fenced.class);
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void otherPartitionsOfTheRunAreServed() {
        cluster.beginMove(slot, from, to);

        assertThat(run(source, item(MOVING, "ben", null), item(OTHER, "ben", null)))
                .satisfiesExactly(
                        moving -> assertThat(moving).isInstanceOf(ReactScript.Reply.Fenced.class),
                        other -> assertThat(other).isInstanceOf(ReactScript.Reply.Accepted.class));
        assertThat(read(source, MOVING, OTHER))
                .satisfiesExactly(
                        moving -> assertThat(moving).isInstanceOf(ReadScript.Reply.Fenced.class),
                        other -> assertThat(other).isInstanceOf(ReadScript.Reply.Hit.class));
    }

    @Test
    void progressLeavesPartitionsOutThatTheNodeDoesNotServe() {
        var moving = new Progress(MOVING, "5", 1, 0);
        var other = new Progress(OTHER, "5", 1, 0);
        cluster.beginMove(slot, from, to);
        assertThat(progress(source, MOVING, OTHER)).containsExactly(moving, other);
        cluster.giveUpMove(slot, from, to);

        cluster.move(slot, from, to);
        assertThat(progress(source, MOVING, OTHER)).containsExactly(other);
        assertThat(progress(source, MOVING)).isEmpty();
        assertThat(progress(target, MOVING, OTHER)).containsExactly(moving);
    }

    /** The node refuses commands for a hash that it has given away. */
    @Test
    void progressLeavesAPartitionOutWhoseKeysHaveMoved() {
        cluster.beginMove(slot, from, to);
        while (RedisCluster.moveKeys(slot, from, to, 100)) {
            // until all have moved
        }

        assertThat(progress(source, MOVING, OTHER)).containsExactly(new Progress(OTHER, "5", 1, 0));
    }

    private static List<Progress> progress(
            StatefulRedisConnection<String, String> node, Integer... partitions) {
        return new ProgressScript().execute(node.async(), List.of(partitions)).join();
    }

    @Test
    void noEpochIsOpenedInASlotThatMoves() {
        cluster.beginMove(slot, from, to);

        var next = new Fence(6, fence.incarnation());
        assertThat(open.execute(source.async(), MOVING, next, 0).join())
                .isEqualTo(OpenScript.Reply.FENCED);
    }

    @Test
    void noNodeTrustsWhatWasMoved() {
        cluster.move(slot, from, to);

        assertFenced(source);
        assertFenced(target);
        var there = new Fence(5, incarnation(target));
        assertThat(read(target, there, MOVING).getFirst())
                .isInstanceOf(ReadScript.Reply.Fenced.class);
    }

    @Test
    void theNextEpochBeginsWithoutTheMovedEntities() {
        cluster.move(slot, from, to);
        var next = new Fence(6, incarnation(target));
        assertThat(open.execute(target.async(), MOVING, next, 0).join())
                .isEqualTo(OpenScript.Reply.OPENED);

        assertThat(target.sync().hgetall(RedisSchema.counts(MOVING, POST))).isNotEmpty();
        assertThat(read(target, next, MOVING).getFirst()).isInstanceOf(ReadScript.Reply.Miss.class);
        assertThat(target.sync().exists(RedisSchema.outbox(MOVING))).isZero();
    }

    /** All scripts that need the fence answer that it does not hold, and change nothing. */
    private void assertFenced(StatefulRedisConnection<String, String> node) {
        var before = everything();
        assertThat(run(node, item(MOVING, "ben", null)).getFirst())
                .isInstanceOf(ReactScript.Reply.Fenced.class);
        assertThat(read(node, MOVING).getFirst()).isInstanceOf(ReadScript.Reply.Fenced.class);
        var committed = new AckScript.AckItem(MOVING, fence, 0, 1, List.of());
        assertThat(ack.execute(node.async(), List.of(committed)).join())
                .containsExactly(new AckScript.Reply.Fenced());
        assertThat(everything()).isEqualTo(before);
    }

    private void load(int p, Fence now) {
        var miss =
                read.execute(
                                source.async(),
                                List.of(new ReadItem(p, now, POST, null, "loader", "", "")))
                        .join();
        assertThat(miss.getFirst()).isInstanceOf(ReadScript.Reply.Miss.class);
        var nothing = new EntitySnapshot(5, 0, "", 0, 0, List.of(), true, Map.of());
        assertThat(install.execute(source.async(), p, now, POST, nothing, "loader").join())
                .isEqualTo(InstallScript.Reply.INSTALLED);
    }

    private ReactReply react(int p, String user, Proposal.Idempotency idempotency) {
        return run(source, item(p, user, idempotency)).getFirst();
    }

    private ReactItem item(int p, String user, Proposal.Idempotency idempotency) {
        var rules = new Proposal.RuleData(1, List.of(), 6, List.of("like"));
        var proposal =
                new Proposal(
                        "op" + ++ops,
                        5000,
                        POST,
                        user,
                        ChangeKind.ADD,
                        List.of("like"),
                        rules,
                        false,
                        false,
                        idempotency,
                        Proposal.Basis.ANY,
                        false,
                        "",
                        "");
        return new ReactItem(p, fence, proposal, "token", "");
    }

    private List<ReactReply> run(StatefulRedisConnection<String, String> node, ReactItem... items) {
        return react.execute(node.async(), List.of(items)).join();
    }

    private List<ReadScript.Reply> read(
            StatefulRedisConnection<String, String> node, int... partitions) {
        return read(node, fence, partitions);
    }

    private List<ReadScript.Reply> read(
            StatefulRedisConnection<String, String> node, Fence now, int... partitions) {
        var items = new ArrayList<ReadItem>();
        for (int p : partitions) {
            items.add(new ReadItem(p, now, POST, "ann", "reader", "", ""));
        }
        return read.execute(node.async(), items).join();
    }

    private static String incarnation(StatefulRedisConnection<String, String> node) {
        return RedisServerInfo.NODE
                + RedisServerInfo.id(node.sync().info(RedisServerInfo.REPLICATION));
    }

    /** All data of both nodes. */
    private static Map<String, String> everything() {
        var all = new TreeMap<String, String>();
        for (var node : List.of(source, target)) {
            var redis = node.sync();
            for (int s : List.of(RedisCluster.slot(MOVING), RedisCluster.slot(OTHER))) {
                for (String key : redis.clusterGetKeysInSlot(s, 1000)) {
                    all.put(node == source ? "from " + key : "to " + key, value(node, key));
                }
            }
        }
        return all;
    }

    /**
     * A node serves a key that it has, also while the slot moves; the target only when it owns it.
     */
    private static String value(StatefulRedisConnection<String, String> node, String key) {
        if (cluster.master(SlotHash.getSlot(key)) != (node == source ? from : to)) {
            return "of another";
        }
        return switch (node.sync().type(key)) {
            case "hash" -> new TreeMap<>(node.sync().hgetall(key)).toString();
            case "stream" -> node.sync().xrange(key, Range.unbounded()).toString();
            default -> node.sync().get(key);
        };
    }
}
