package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** For each failpoint an instance halts there, while another continues. */
@Beside
@ExtendWith(Pair.class)
class KilledAtEveryFailpointTest {

    private static final int BEFORE_IT_IS_ARMED = 3;

    @TempDir static Path armed;
    private static final Map<Point, CompletableFuture<ServiceProcess>> DOOMED =
            new EnumMap<>(Point.class);

    @BeforeAll
    static void startTwoAtATime() {
        var threads = Executors.newFixedThreadPool(2);
        for (Point point : Point.values()) {
            DOOMED.put(point, CompletableFuture.supplyAsync(() -> start(point), threads));
        }
        threads.shutdown();
    }

    @AfterAll
    static void stop() {
        var closed = DOOMED.values().stream().map(one -> one.thenAccept(ServiceProcess::close));
        CompletableFuture.allOf(closed.toArray(CompletableFuture<?>[]::new)).join();
    }

    private static ServiceProcess start(Point point) {
        return Children.start(
                Pair.stage(), "halt-at=" + point, "halt-when=" + armed.resolve(point.name()));
    }

    @ParameterizedTest
    @EnumSource
    void acknowledgedWritesSurviveAndOthersAreAppliedAtMostOnce(Point point) throws Exception {
        var service = DOOMED.get(point).join();
        var going = new AtomicBoolean(true);
        var elsewhere = Stage.meanwhile(() -> writeThroughTheOther(point, going));

        int halted;
        try {
            halted = writeUntilHalted(service, point);
            Wait.until("the process has ended", () -> !service.isAlive());
        } finally {
            going.set(false);
        }
        int others = elsewhere.get();

        Pair.stage().awaitDrained();
        for (int n = 0; n < halted; n++) {
            assertThat(stored(point, n)).as("acknowledged").isEqualTo(1);
        }
        assertThat(stored(point, halted)).isBetween(least(point), most(point));
        assertThat(keyed(Pair.other().port(), point, halted).status()).isEqualTo(200);
        assertThat(stored(point, halted)).isEqualTo(1);
        assertThat(
                        Pair.stage()
                                .rows(
                                        "select version from entity where entity like ?",
                                        "killed " + point + "%"))
                .extracting(Long::parseLong)
                .satisfies(
                        versions ->
                                assertThat(versions.stream().mapToLong(n -> n).sum())
                                        .as("each once")
                                        .isEqualTo(halted + 1 + others));
    }

    /** Returns the number of the write without an answer. */
    private static int writeUntilHalted(ServiceProcess service, Point point) throws IOException {
        for (int n = 0; ; n++) {
            if (n == BEFORE_IT_IS_ARMED) {
                Files.createFile(armed.resolve(point.name()));
            }
            try {
                assertThat(keyed(service.port(), point, n).status()).isEqualTo(200);
            } catch (UncheckedIOException e) {
                return n;
            }
        }
    }

    private static int writeThroughTheOther(Point point, AtomicBoolean going) {
        String entity = sibling(point);
        for (int n = 0; ; n++) {
            if (!going.get()) {
                return n;
            }
            var answer = Pair.other().add(POSTS, entity, "other-" + n, "👍");
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        }
    }

    /**
     * Whether a loader halts at the point, before any proposal; a load needs a new entity each
     * time.
     */
    private static boolean loads(Point point) {
        return point.compareTo(Point.AFTER_RUN) < 0;
    }

    private static int least(Point point) {
        return point == Point.AFTER_RUN || point == Point.AFTER_SCRIPT ? 1 : 0;
    }

    private static int most(Point point) {
        return loads(point) ? 0 : 1;
    }

    private static String entity(Point point, int n) {
        return "killed " + point + (loads(point) ? n : "");
    }

    /** An entity in the same partition, for clients of the other instance. */
    private static String sibling(Point point) {
        int p = Stage.partition(POSTS, entity(point, 0));
        return IntStream.range(0, 10_000)
                .mapToObj(n -> "killed " + point + " others " + n)
                .filter(name -> Stage.partition(POSTS, name) == p)
                .findFirst()
                .orElseThrow();
    }

    private static Answer keyed(int port, Point point, int n) {
        String body = Instance.body(POSTS, entity(point, n), "user-" + n, "👍");
        String key = point + "-" + n;
        return Instance.sendTo(port, "POST", "/reactions", body, "Idempotency-Key", key);
    }

    private static int stored(Point point, int n) {
        return Pair.stage().stored(POSTS, entity(point, n), "user-" + n).size();
    }
}
