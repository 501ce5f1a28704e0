package dev.ovation.model;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ovation.entity.Partitions;
import dev.ovation.model.Duel.Fault;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

/**
 * Random sequences of commands: each answer, and the state that is stored at the end, must equal
 * those of the model. The same 200 sequences run each time; {@code -Dseed=7} runs that one alone,
 * {@code -Dsequences=1000} as many, starting at {@code -Dseed=} if both are given.
 */
@Beside
class ServiceAgainstModelTest {

    private static final int LENGTH = 40;
    private static final int SEQUENCES = 200;
    private static final Partitions PARTITIONS = new Partitions(8);
    private static final int SHRINKING_TRIES = 400;

    private static @TempDir Path files;
    private static RedisProcess redisProcess;
    private static RedisClient redis;
    private static RedisCommands<String, String> commands;
    private static Instance instance;
    private static HttpService service;
    private static int runs;
    private static boolean shrunk;

    @BeforeAll
    static void start() {
        redisProcess = RedisProcess.start();
        redis = RedisClient.create(redisProcess.uri());
        commands = redis.connect().sync();
        World.USUAL.write(files);
        instance =
                Instance.start(TestPostgres.url(), redisProcess.uri(), files, settings())
                        .attached();
        service = new HttpService(instance, commands, files, PARTITIONS);
    }

    /** The model has no 503, so the time-outs are long. */
    private static String[] settings() {
        return Patience.longWith(
                "ovation.internal.requests.attach=60s",
                "ovation.internal.hot.lease=60s",
                "ovation.internal.postgres.max-wait=60s",
                "ovation.internal.loads.max-wait=60s",
                // So small that most entities become partial, and partial ones evict users.
                "ovation.partitions=" + PARTITIONS.count(),
                "ovation.internal.hot.complete-limit=4",
                "ovation.internal.hot.partial-limit=6");
    }

    @AfterAll
    static void stop() {
        instance.close();
        redis.shutdown();
        redisProcess.close();
    }

    @TestFactory
    Stream<DynamicTest> answersAndStateAreThoseOfTheModel() {
        Long seed = Long.getLong("seed");
        int sequences = Integer.getInteger("sequences", seed == null ? SEQUENCES : 1);
        return LongStream.range(0, sequences)
                .map(i -> i + (seed == null ? 1 : seed))
                .mapToObj(each -> dynamicTest("seed " + each, () -> run(each)));
    }

    private static void run(long seed) {
        List<Command> sequence = Generator.sequence(seed, LENGTH);
        Fault fault = play(sequence);
        if (fault != null) {
            throw new AssertionError(story(seed, sequence, fault));
        }
    }

    private static @Nullable Fault play(List<Command> sequence) {
        String run = "run" + ++runs + "-";
        service.usualRules();
        List<Command> own = sequence.stream().map(command -> command.in(run)).toList();
        var model = new ReferenceModel(World.USUAL);
        var duel = new Duel(model, service);
        Fault fault = duel.fight(own);
        if (fault != null) {
            return fault;
        }
        var stored =
                new StoredState(
                                JdbcClient.create(instance.bean(DataSource.class)),
                                commands,
                                PARTITIONS)
                        .faults(run, model, duel.bindings);
        return stored.isEmpty() ? null : new Fault(own.size() - 1, String.join("\n", stored));
    }

    /**
     * Reports the first failure with its smallest sequence; to shrink the others would take as
     * long.
     */
    private static String story(long seed, List<Command> sequence, Fault fault) {
        List<Command> smallest = sequence;
        Fault last = fault;
        if (!shrunk) {
            shrunk = true;
            var shrinker =
                    new Shrinker<>(
                            (List<Command> candidate) -> play(candidate) != null,
                            Command::simpler,
                            SHRINKING_TRIES);
            smallest = shrinker.shrink(sequence.subList(0, fault.step() + 1));
            Fault again = play(smallest);
            last = again == null ? new Fault(fault.step(), "not any more; " + fault.what()) : again;
        }
        var story = new StringBuilder("seed " + seed + ", again with -Dseed=" + seed + "\n");
        for (int i = 0; i < smallest.size() && i <= last.step(); i++) {
            story.append("%2d  %s%n".formatted(i + 1, smallest.get(i).line()));
        }
        return story.append(last.what()).toString();
    }
}
