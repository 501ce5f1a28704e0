package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import java.time.Duration;
import java.time.Instant;

/** What is answered while a part is down, and that all goes on by itself when it comes back. */
class PartsDownTest {

    @Test
    void withoutRedisReadsGoOnAndWritesAreRefused() {
        try (var stage = Stage.open()) {
            var service = stage.start();
            assertThat(service.add(POSTS, "1", "ann", "👍").status()).isEqualTo(200);

            stage.redisProcess.kill();
            awaitHealth(service, "/components/redis/status", "DOWN");

            assertRefused(service.add(POSTS, "1", "ben", "👍"));
            assertRefused(service.remove(POSTS, "1", "ann", "👍"));
            assertThat(Stage.own(service.read(POSTS, "1", "ann"))).containsExactly("👍");
            assertSince(service, "redis");
            assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(200);
            assertThat(service.get("/actuator/health/liveness").status()).isEqualTo(200);

            stage.redisProcess.restart();
            service.attached();

            assertThat(service.add(POSTS, "1", "ben", "👍").status()).isEqualTo(200);
            assertThat(Stage.counts(service.read(POSTS, "1", "ann"))).containsEntry("👍", 2L);
            stage.assertSound();
        }
    }

    @Test
    void withoutPostgresHotReadsGoOnAndWritesEndBeforeTheyTouchRedis() {
        try (var stage = Stage.open()) {
            var service = stage.launchBehindProxy("ovation.requests.deadline=2s").attached();
            service.add(POSTS, "hot", "ann", "👍");
            service.add(POSTS, "cold", "ann", "👍");
            stage.evict("cold");

            stage.proxy().cut();

            var first = service.add(POSTS, "hot", "ben", "👍");
            assertThat(first.status()).isEqualTo(503);
            assertThat(Crowd.code(first)).isEqualTo("outcome-unknown");
            assertThat(first.json().at("/outcome").asString()).isEqualTo("unknown");
            assertThat(first.headers()).containsKey("retry-after");

            Wait.until("stuck, though nobody waits", () -> isStuckForGood(service));
            long proposed = stage.unapplied();
            assertRefused(service.add(POSTS, "hot", "cat", "👍"));
            assertThat(stage.unapplied()).isEqualTo(proposed);

            assertThat(Stage.own(service.read(POSTS, "hot", "ann"))).containsExactly("👍");
            var cold = service.read(POSTS, "cold", "ann");
            assertThat(cold.status()).isEqualTo(503);
            assertThat(Crowd.code(cold)).isEqualTo("unavailable");
            awaitHealth(service, "/components/postgres/status", "DOWN");
            assertSince(service, "postgres");
            assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(200);

            stage.proxy().mend();

            Wait.until(
                    "writes get through",
                    () -> service.add(POSTS, "hot", "cat", "👍").status() == 200);
            assertThat(stage.stored(POSTS, "hot", "ben")).containsExactly("👍");
            assertThat(Stage.counts(service.read(POSTS, "hot", "ann"))).containsEntry("👍", 3L);
            awaitHealth(service, "/status", "UP");
            stage.assertSound();
        }
    }

    @Test
    void withNeitherEverythingIsRefusedAndNothingIsReady() {
        try (var stage = Stage.open()) {
            var service = stage.launchBehindProxy().attached();
            service.add(POSTS, "1", "ann", "👍");

            stage.redisProcess.kill();
            stage.proxy().cut();

            awaitHealth(service, "/components/redis/status", "DOWN");
            awaitHealth(service, "/components/postgres/status", "DOWN");
            assertThat(service.read(POSTS, "1", "ann").status()).isEqualTo(503);
            assertRefused(service.add(POSTS, "1", "ben", "👍"));
            assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(503);
            assertThat(service.get("/actuator/health/liveness").status()).isEqualTo(200);

            stage.proxy().mend();
            stage.redisProcess.restart();
            service.attached();

            assertThat(service.add(POSTS, "1", "ben", "👍").status()).isEqualTo(200);
            stage.assertSound();
        }
    }

    @Test
    void aStartWithoutRedisReadsFromPostgresAndWritesOnceRedisIsThere() {
        try (var stage = Stage.open()) {
            stage.sql.update("insert into user_reaction values (?, '1', 'ann', '👍', 1000)", POSTS);
            stage.sql.update("insert into counter values (?, '1', '👍', 1, 1000, 1000)", POSTS);
            stage.sql.update("insert into entity values (?, '1', 1, 'import', 1000)", POSTS);
            stage.redisProcess.kill();
            var service = stage.launch("ovation.requests.attach=100ms");

            assertThat(Stage.own(service.read(POSTS, "1", "ann"))).containsExactly("👍");
            assertRefused(service.add(POSTS, "1", "ben", "👍"));

            stage.redisProcess.restart();
            service.attached();

            assertThat(service.add(POSTS, "1", "ben", "👍").status()).isEqualTo(200);
            stage.assertSound();
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aStartWithoutPostgresSaysSoAndGoesOnOncePostgresIsThere(CapturedOutput output)
            throws Exception {
        try (var stage = Stage.open()) {
            stage.proxy().cut();
            var starting = Stage.meanwhile(() -> stage.launchBehindProxy());
            Wait.until("it says so", () -> output.getOut().contains("Waiting for Postgres"));
            assertThat(starting).isNotDone();

            stage.proxy().mend();

            var service = starting.get().attached();
            assertThat(service.add(POSTS, "1", "ann", "👍").status()).isEqualTo(200);
        }
    }

    private static boolean isStuckForGood(Instance service) {
        var relay = service.get("/actuator/health").json().at("/components/relay/details");
        return relay.at("/stuck").asBoolean() && relay.at("/oldest_wait_ms").asLong() == 0;
    }

    private static void awaitHealth(Instance service, String pointer, String status) {
        Wait.until(
                pointer + " is " + status,
                Duration.ofSeconds(60),
                () -> service.get("/actuator/health").json().at(pointer).asString().equals(status));
    }

    private static void assertSince(Instance service, String part) {
        var since =
                service.get("/actuator/health")
                        .json()
                        .at("/components/" + part + "/details/since")
                        .asString();
        assertThat(Instant.parse(since)).isBeforeOrEqualTo(Instant.now());
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(Crowd.code(answer)).isEqualTo("unavailable");
        assertThat(answer.json().at("/outcome").asString()).isEqualTo("refused");
        assertThat(answer.headers()).containsKey("retry-after");
    }
}
