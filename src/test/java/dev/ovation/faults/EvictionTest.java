package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;
import dev.ovation.testing.report.Seed;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Redis evicts clean keys at any moment, both hashes of an entity or one of them. */
@Beside
class EvictionTest {

    private static final long SEED = Seed.from("seed", 377);

    /** Actions of a user between two evictions; the user waits for the second one. */
    private static final int ACTIONS_PER_EVICTION = 10;

    /** An eviction is certain only when all users wait for it, because all keys are clean then. */
    private static final Duration BOUND = Duration.ofMinutes(3);

    private static final List<String> ENTITIES = List.of("1", "2", "3");

    /** Evicts as the server does: only keys with a TTL; dirty keys have none. */
    private static final String EVICT =
            "return redis.call('PTTL', KEYS[1]) > 0 and redis.call('UNLINK', KEYS[1]) or 0";

    @Test
    void evictionsChangeNoAnswerAndNoStoredState() throws Exception {
        run();
    }

    @Test
    void evictionsWithPartialHashesChangeNoAnswerAndNoStoredState() throws Exception {
        run("ovation.internal.hot.complete-limit=7", "ovation.internal.hot.partial-limit=17");
    }

    private static void run(String... settings) throws Exception {
        try (var stage = Stage.open()) {
            String[] patient = Patience.longWith(settings);
            var crowd =
                    new Crowd(SEED, List.of(stage.start(patient), stage.start(patient)), ENTITIES);
            var evicting = new AtomicBoolean(true);
            var evicted = new AtomicInteger();
            var evictor =
                    Stage.meanwhile(
                            () -> {
                                var random = new Random(SEED);
                                while (evicting.get()) {
                                    long seen = stage.changes();
                                    if (!evictOne(stage.redis(), random)) {
                                        Thread.sleep(1); // all keys are dirty
                                        continue;
                                    }
                                    evicted.incrementAndGet();
                                    Wait.until(
                                            "a change is written",
                                            BOUND,
                                            () -> !evicting.get() || stage.changes() > seen);
                                }
                                return null;
                            });

            List<Crowd.User> users;
            try {
                users =
                        crowd.run(
                                41,
                                31,
                                n ->
                                        Wait.until(
                                                "there were enough evictions",
                                                BOUND,
                                                () ->
                                                        evicted.get() >= n / ACTIONS_PER_EVICTION
                                                                || evictor.isDone()));
            } finally {
                evicting.set(false);
            }
            evictor.get();

            assertThat(evicted).hasPositiveValue();
            stage.assertSound();
            Crowd.assertStored(stage, users);
            Crowd.assertShown(users);
        }
    }

    private static boolean evictOne(RedisCommands<String, String> redis, Random random) {
        var keys = redis.keys("{*}:[cub]:*");
        if (keys.isEmpty()) {
            return false;
        }
        String key = keys.get(random.nextInt(keys.size()));
        return redis.<Long>eval(EVICT, ScriptOutputType.INTEGER, key) == 1;
    }
}
