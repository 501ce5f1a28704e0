package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Kills the service with its embedded servers, as after the quick start, under load. */
@Beside
@Order(1)
class KillTest {

    private static final int WRITERS = 8;
    private static final int ENOUGH = 53;

    @TempDir static Path folder;
    private static ServiceProcess service;

    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private volatile boolean killing;

    @BeforeAll
    static void start() {
        service =
                ServiceProcess.start(
                        "ovation.embedded.directory=" + folder.resolve("data"),
                        "ovation.config-dir=" + Stage.CONFIG,
                        "ovation.requests.deadline=2s");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void acknowledgedWritesSurviveAKillOfTheService() throws Exception {
        writeUntil("service", service::kill);
        service.start();
        assertNothingIsLost("service");
    }

    @Test
    void acknowledgedWritesSurviveAKillOfRedis() throws Exception {
        writeUntil("redis", KillTest::killRedis);
        service.terminate();
        service.start();
        assertNothingIsLost("redis");
    }

    @Test
    void acknowledgedWritesSurviveAKillOfTheServiceAndRedis() throws Exception {
        writeUntil(
                "both",
                () -> {
                    killRedis();
                    service.kill();
                });
        service.start();
        assertNothingIsLost("both");
    }

    /** Writes from several threads, runs the kill meanwhile, and returns when all writes fail. */
    private void writeUntil(String entity, Runnable kill) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < WRITERS; i++) {
                String writer = "writer-" + i + '-';
                threads.submit(() -> writeUntilFailure(entity, writer));
            }
            Wait.until("some writes are acknowledged", () -> acknowledged.size() >= ENOUGH);
            killing = true;
            kill.run();
        }
    }

    /** Writes until one fails after the kill; a write before it may fail because the disk hangs. */
    private void writeUntilFailure(String entity, String writer) {
        for (int n = 0; ; n++) {
            String user = writer + n;
            asked.add(user);
            if (service.add(Stage.POSTS, entity, user, "👍").status() == 200) {
                acknowledged.add(user);
            } else if (killing) {
                return;
            } else {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    private void assertNothingIsLost(String entity) {
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ENOUGH);
        assertThat(asked).filteredOn(user -> has(entity, user)).containsAll(acknowledged);
        long there = asked.stream().filter(user -> has(entity, user)).count();
        assertThat(read(entity, "").at("/reactions_count/0/count").asLong()).isEqualTo(there);
        String more = Instance.body(Stage.POSTS, entity, "one more", "👍");
        Wait.until(
                "a write is accepted",
                () -> service.send("POST", "/reactions?if_exists=ok", more).status() == 200);
    }

    private boolean has(String entity, String user) {
        return read(entity, user).at("/user_reactions/reactions/0").asString("").equals("👍");
    }

    /** Retries refused reads: a busy machine may refuse one, which is no evidence of a loss. */
    private JsonNode read(String entity, String user) {
        var query = Map.of("namespace_id", Stage.POSTS, "entity_id", entity, "user_id", user);
        var answer = new AtomicReference<Answer>();
        Wait.until(
                "it is read",
                () -> {
                    answer.set(service.send("GET", "/reactions?" + Instance.encode(query), null));
                    return answer.get().status() != 503;
                });
        assertThat(answer.get().status()).as(answer.get().body()).isEqualTo(200);
        return answer.get().json();
    }

    private static void killRedis() {
        try {
            Path file = folder.resolve("data/redis/redis.pid");
            long pid = Long.parseLong(Files.readString(file).strip());
            var redis = ProcessHandle.of(pid).orElseThrow();
            redis.destroyForcibly();
            Wait.until("Redis has ended", () -> redis.info().command().isEmpty());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
