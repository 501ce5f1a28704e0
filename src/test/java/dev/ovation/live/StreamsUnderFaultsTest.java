package dev.ovation.live;

import static dev.ovation.faults.Stage.NOTES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.EventStream;
import dev.ovation.testing.Instance;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.Wait;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Test;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Writes while streams are cut and resumed, an instance is killed and Redis is killed. Afterwards
 * each watcher has the committed state, and no watcher ever got an older one after a newer one.
 */
@Beside
class StreamsUnderFaultsTest {

    private static final int FOLLOWERS = 5;
    private static final int STEPS = 60;
    private static final List<String> ENTITIES =
            IntStream.range(0, 7).mapToObj(n -> "faulty-" + n).toList();

    /** Reactions that Postgres spells as the configuration does. */
    private static final List<String> REACTIONS =
            Stage.REACTIONS.stream().filter(each -> each.indexOf('\ufe0f') < 0).toList();

    private final long seed = Seed.from("seed", 21);
    private final SplittableRandom random = new SplittableRandom(seed);
    private final List<String> violations = new ArrayList<>();

    /** A client that resumes its stream through any instance. */
    private final class Follower implements AutoCloseable {
        private final Map<String, String> versions = new HashMap<>();
        private final Map<String, Map<String, Long>> counts = new TreeMap<>();
        private EventStream stream;
        private String lastId;
        private int taken;

        void follow(int port) {
            leave();
            String[] resume =
                    lastId == null ? new String[0] : new String[] {"Last-Event-ID: " + lastId};
            try {
                stream = EventStream.open(port, NOTES, ENTITIES, null, resume);
                taken = 0;
            } catch (UncheckedIOException e) {
                stream = null; // the instance is dead
            }
        }

        void leave() {
            if (stream != null) {
                stream.close();
                Wait.until("the stream is read to its end", stream::isEnded);
                take();
            }
        }

        void take() {
            if (stream == null) {
                return;
            }
            var events = stream.events();
            for (var event : events.subList(taken, events.size())) {
                lastId = event.id().isEmpty() ? lastId : event.id();
                if (event.name().equals("snapshot") || event.name().equals("change")) {
                    var state = event.json();
                    String entity = state.at("/entity_id").asString();
                    String version = state.at("/version").asString();
                    String before = versions.put(entity, version);
                    if (before != null && before.compareTo(version) > 0) {
                        violations.add(entity + ": " + version + " after " + before);
                    }
                    var all = new TreeMap<String, Long>();
                    state.at("/reactions_count")
                            .valueStream()
                            .forEach(
                                    each ->
                                            all.put(
                                                    each.at("/reaction_id").asString(),
                                                    each.at("/count").asLong()));
                    counts.put(entity, all);
                }
            }
            taken = events.size();
            violations.addAll(stream.violations());
        }

        Map<String, Map<String, Long>> counts() {
            take();
            return counts;
        }

        @Override
        public void close() {
            if (stream != null) {
                stream.close();
            }
        }
    }

    @Test
    void eachWatcherEndsWithTheCommittedState() {
        try (var stage = Stage.open();
                var doomed = process(stage)) {
            var stays = stage.start(settings());
            var followers = IntStream.range(0, FOLLOWERS).mapToObj(_ -> new Follower()).toList();
            followers.forEach(
                    each -> each.follow(random.nextBoolean() ? doomed.port() : stays.port()));

            writeAndCut(followers, doomed.port(), stays.port());
            doomed.kill();
            writeAndCut(followers, stays.port(), stays.port());
            stage.redisProcess.kill();
            write(stays.port());
            stage.redisProcess.restart();
            var _ = stays.attached();
            writeAndCut(followers, stays.port(), stays.port());

            followers.stream()
                    .filter(each -> each.stream == null || each.stream.isEnded())
                    .forEach(each -> each.follow(stays.port()));
            stage.awaitDrained();
            var committed = committed(stage);
            for (Follower each : followers) {
                Wait.until(
                        "a watcher has what is committed",
                        () -> differences(committed, each),
                        List::isEmpty);
                each.close();
            }
            assertThat(violations).isEmpty();
            assertThat(stage.changes()).isGreaterThan(STEPS);
        }
    }

    /** What a watcher has in place of what is committed. */
    private static List<String> differences(
            Map<String, Map<String, Long>> committed, Follower follower) {
        var counts = follower.counts();
        var stream = follower.stream;
        return committed.entrySet().stream()
                .filter(each -> !each.getValue().equals(counts.get(each.getKey())))
                .map(
                        each ->
                                "%s: %s instead of %s, by a stream with %s, ended %s"
                                        .formatted(
                                                each.getKey(),
                                                counts.get(each.getKey()),
                                                each.getValue(),
                                                stream.head().lines().findFirst(),
                                                stream.isEnded()))
                .toList();
    }

    private void writeAndCut(List<Follower> followers, int... ports) {
        for (int step = 0; step < STEPS; step++) {
            write(ports[random.nextInt(ports.length)]);
            if (random.nextInt(6) == 0) {
                followers
                        .get(random.nextInt(FOLLOWERS))
                        .follow(ports[random.nextInt(ports.length)]);
            }
        }
    }

    /** A write whose answer may be any. */
    private void write(int port) {
        String entity = ENTITIES.get(random.nextInt(ENTITIES.size()));
        String user = "user-" + random.nextInt(9);
        String reaction = REACTIONS.get(random.nextInt(REACTIONS.size()));
        String method = random.nextInt(3) == 0 ? "DELETE" : "POST";
        var answer =
                Instance.sendTo(
                        port, method, "/reactions", Instance.body(NOTES, entity, user, reaction));
        assertThat(answer.status()).isIn(200, 403, 503);
    }

    private static Map<String, Map<String, Long>> committed(Stage stage) {
        Map<String, Map<String, Long>> committed = new TreeMap<>();
        ENTITIES.forEach(each -> committed.put(each, new TreeMap<>()));
        stage.sql.query(
                "select entity, reaction, count from named_counter where namespace = ?",
                row -> {
                    committed.get(row.getString(1)).put(row.getString(2), row.getLong(3));
                },
                NOTES);
        return committed;
    }

    private static String[] settings(String... more) {
        return Stage.settings(
                Stage.settings(Stage.PATIENT, "ovation.requests.deadline=5s", Stage.LOCKS_END),
                more);
    }

    private static ServiceProcess process(Stage stage) {
        return ServiceProcess.start(
                settings(
                        "spring.datasource.url=" + stage.url,
                        "spring.datasource.username=postgres",
                        "spring.datasource.password=postgres",
                        "spring.data.redis.url=" + stage.redisProcess.uri(),
                        "ovation.config-dir=" + Stage.CONFIG));
    }
}
