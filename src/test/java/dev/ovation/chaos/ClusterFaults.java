package dev.ovation.chaos;

import static io.lettuce.core.ScriptOutputType.STATUS;

import dev.ovation.chaos.Fault.Part;
import dev.ovation.testing.RedisCluster;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.Wait;

import io.lettuce.core.api.sync.RedisCommands;

import java.time.Duration;
import java.util.List;

/** Faults of the nodes of a Redis Cluster, and moves of its slots. */
final class ClusterFaults {

    /** Bounds a hang, not the time that a busy machine needs. */
    private static final Duration BOUND = Duration.ofMinutes(5);

    private ClusterFaults() {}

    static List<Fault> all() {
        return List.of(
                fault("Redis node killed, back with its data", ClusterFaults::killed),
                fault("Redis node killed, back empty", ClusterFaults::lost),
                fault("Redis node killed, its replica promoted", ClusterFaults::succeeded),
                fault("Redis node paused", ClusterFaults::paused),
                fault("Redis node paused, its replica promoted", ClusterFaults::overtaken),
                fault("Redis node: its replica promoted by hand", ClusterFaults::changed),
                fault("Redis node flushed", ClusterFaults::flushed),
                fault("Redis node busy with a script", ClusterFaults::busy),
                fault("Redis node out of memory", ClusterFaults::outOfMemory),
                fault("Redis slot moved", ClusterFaults::moved),
                fault("Redis slot: a move given up", ClusterFaults::givenUp));
    }

    private static Fault fault(String kind, Fault.Action action) {
        return new Fault(
                kind,
                Part.REDIS,
                (bench, random) -> {
                    action.run(bench, random);
                    bench.cluster().awaitWell(BOUND);
                });
    }

    private static RedisProcess any(Bench bench, Chance random) {
        var masters = bench.cluster().masters();
        return masters.get(random.nextInt(masters.size()));
    }

    private static void killed(Bench bench, Chance random) {
        var node = any(bench, random);
        node.kill();
        random.last(0, 1500);
        node.restart();
    }

    private static void lost(Bench bench, Chance random) {
        var node = any(bench, random);
        node.kill();
        bench.cluster().restartEmpty(node);
    }

    private static void succeeded(Bench bench, Chance random) {
        var node = any(bench, random);
        var replica = bench.cluster().replica(node);
        node.kill();
        awaitMaster(bench, replica);
        random.last(0, 1500);
        node.restart();
    }

    private static void paused(Bench bench, Chance random) {
        var node = any(bench, random);
        node.pause();
        random.last(500, 6000);
        node.resume();
    }

    /** For a moment after its return both nodes are masters. */
    private static void overtaken(Bench bench, Chance random) {
        var node = any(bench, random);
        var replica = bench.cluster().replica(node);
        node.pause();
        awaitMaster(bench, replica);
        node.resume();
    }

    private static void changed(Bench bench, Chance random) {
        var node = any(bench, random);
        var replica = bench.cluster().replica(node);
        boolean force = random.nextBoolean();
        RedisCluster.ask(replica, redis -> redis.clusterFailover(force));
        awaitMaster(bench, replica);
    }

    private static void awaitMaster(Bench bench, RedisProcess replica) {
        Wait.until(
                "the replica is promoted",
                BOUND,
                () -> RedisCluster.isMaster(replica) && bench.cluster().nodes().contains(replica));
    }

    private static void flushed(Bench bench, Chance random) {
        RedisCluster.ask(any(bench, random), RedisCommands::flushall);
    }

    private static void busy(Bench bench, Chance random) {
        var node = any(bench, random);
        RedisCluster.ask(
                node,
                redis -> {
                    var script =
                            Fault.meanwhile(
                                    () ->
                                            RedisCluster.ask(
                                                    node,
                                                    other ->
                                                            other.eval(
                                                                    RedisFaults.ENDLESS, STATUS)));
                    random.last(700, 4000);
                    Wait.until(
                            "the script has ended",
                            () -> script.isDone() || RedisFaults.kill(redis, script));
                    return null;
                });
    }

    private static void outOfMemory(Bench bench, Chance random) {
        var node = any(bench, random);
        try {
            int most = 1_700_000 + random.nextInt(600_000);
            RedisCluster.ask(node, redis -> redis.configSet("maxmemory", "" + most));
            random.last(500, 3000);
        } finally {
            RedisCluster.ask(node, redis -> redis.configSet("maxmemory", "0"));
        }
    }

    /** The move of one partition between two nodes: of its keys, none, some or all. */
    private record Move(int slot, RedisProcess from, RedisProcess to) {

        static Move any(Bench bench, int p) {
            int slot = RedisCluster.slot(p);
            var from = bench.cluster().master(slot);
            var others = bench.cluster().masters().stream().filter(node -> node != from).toList();
            return new Move(slot, from, others.get(p % others.size()));
        }
    }

    private static void moved(Bench bench, Chance random) {
        var move = Move.any(bench, random.nextInt(Bench.PARTITIONS));
        bench.cluster().beginMove(move.slot, move.from, move.to);
        random.last(0, 500);
        while (RedisCluster.moveKeys(move.slot, move.from, move.to, 1 + random.nextInt(20))) {
            random.last(0, 20);
        }
        random.last(0, 500);
        bench.cluster().endMove(move.slot, move.from, move.to);
    }

    /**
     * Some keys come back later, over those that were loaded meanwhile. An instance must have seen
     * the move before: then the epoch of the keys has ended.
     */
    private static void givenUp(Bench bench, Chance random) {
        int p = random.nextInt(Bench.PARTITIONS);
        var move = Move.any(bench, p);
        bench.cluster().beginMove(move.slot, move.from, move.to);
        RedisCluster.moveKeys(move.slot, move.from, move.to, 1 + random.nextInt(20));
        Wait.until("an instance has seen the move", BOUND, () -> bench.isDetached(p));
        bench.cluster().giveUpMove(move.slot, move.from, move.to);
        random.last(0, 1500);
        bench.cluster().returnKeys(move.slot, move.from, move.to);
    }
}
