package dev.ovation.chaos;

import static io.lettuce.core.ScriptOutputType.STATUS;

import dev.ovation.chaos.Fault.Part;
import dev.ovation.testing.Wait;

import io.lettuce.core.api.sync.RedisCommands;

import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Faults of Redis. */
final class RedisFaults {

    static final String ENDLESS = "while true do end";

    private RedisFaults() {}

    /** Faults of one server. */
    static List<Fault> all() {
        return Stream.concat(byHand().stream(), ofOne().stream()).toList();
    }

    /** Deletions of keys, wherever they are. */
    static List<Fault> byHand() {
        return List.of(
                fault(
                        "Redis: dirty keys deleted",
                        (bench, random) -> delete(bench, random, RedisFaults::isEntity)),
                fault(
                        "Redis: outboxes deleted",
                        (bench, random) -> delete(bench, random, key -> key.endsWith(":outbox"))),
                fault(
                        "Redis: meta deleted",
                        (bench, random) -> delete(bench, random, key -> key.endsWith(":meta"))));
    }

    private static List<Fault> ofOne() {
        return List.of(
                fault("Redis killed, back with its data", RedisFaults::killed),
                fault("Redis killed, back empty", RedisFaults::lost),
                fault("Redis killed, back old", RedisFaults::old),
                fault("Redis: stale replica promoted", RedisFaults::staleReplica),
                fault("Redis: demoted, resynced, promoted", RedisFaults::resynced),
                fault("Redis flushed", (bench, _) -> bench.redis(RedisCommands::flushall)),
                fault("Redis paused", RedisFaults::paused),
                fault("Redis busy with a script", RedisFaults::busy),
                fault("Redis out of memory", RedisFaults::outOfMemory));
    }

    private static Fault fault(String kind, Fault.Action action) {
        return new Fault(kind, Part.REDIS, action);
    }

    private static void killed(Bench bench, Chance random) throws Exception {
        bench.redis().kill();
        random.last(0, 1500);
        bench.redis().restart();
    }

    private static void lost(Bench bench, Chance random) throws Exception {
        bench.redis().kill();
        random.last(0, 1500);
        bench.redis().replace(null);
        bench.redis().restart();
    }

    private static void old(Bench bench, Chance random) throws Exception {
        bench.redis().kill();
        var copy = bench.redis().copy();
        bench.redis().restart();
        random.last(1000, 4000);
        bench.redis().kill();
        bench.redis().replace(copy);
        bench.redis().restart();
    }

    private static void staleReplica(Bench bench, Chance random) throws Exception {
        var replica = bench.follower();
        Bench.ask(replica, RedisCommands::replicaofNoOne);
        random.last(0, 1500);
        bench.changeTo(replica);
    }

    /** Restores an older state of Redis without breaking a connection. */
    private static void resynced(Bench bench, Chance random) throws Exception {
        try (var replica = bench.follower()) {
            Bench.ask(replica, RedisCommands::replicaofNoOne);
            random.last(0, 1500);
            Bench.follow(bench.redis(), replica);
            bench.redis(RedisCommands::replicaofNoOne);
        }
    }

    /** Deletes some keys while changes wait for their commit. */
    private static void delete(Bench bench, Chance random, Predicate<String> which)
            throws Exception {
        try (var _ = Lock.ofPartitions(bench)) {
            random.last(50, 500);
            bench.redis(
                    redis -> {
                        redis.keys("*").stream()
                                .filter(key -> random.nextInt(4) == 0)
                                .filter(which)
                                .filter(key -> redis.pttl(key) == -1)
                                .forEach(redis::unlink);
                        return null;
                    });
            random.last(0, 300);
        }
    }

    private static boolean isEntity(String key) {
        return key.contains("}:c:") || key.contains("}:u:");
    }

    private static void paused(Bench bench, Chance random) throws Exception {
        bench.redis().pause();
        random.last(500, 4000);
        bench.redis().resume();
    }

    private static void busy(Bench bench, Chance random) {
        bench.redis(
                redis -> {
                    var script =
                            Fault.meanwhile(
                                    () -> bench.redis(other -> other.eval(ENDLESS, STATUS)));
                    random.last(700, 4000);
                    Wait.until(
                            "the script has ended", () -> script.isDone() || kill(redis, script));
                    return null;
                });
    }

    /**
     * Uses an open connection, because a busy server accepts no new one. SCRIPT KILL is answered
     * before the script ends, and with an error before it begins.
     */
    static boolean kill(RedisCommands<String, String> redis, Future<?> script) {
        redis.scriptKill();
        return script.isDone();
    }

    /** Redis evicts clean keys first and then refuses changes. */
    private static void outOfMemory(Bench bench, Chance random) {
        try {
            bench.redis(
                    redis ->
                            redis.configSet("maxmemory", "" + (700_000 + random.nextInt(600_000))));
            random.last(500, 3000);
        } finally {
            bench.redis(redis -> redis.configSet("maxmemory", "0"));
        }
    }
}
