package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/** Row "both" of "When a part is down" in {@code docs/guarantees.md}. */
@Beside
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class BothDownTest {

    private final Stage stage = Stage.open();
    private Instance service;

    @BeforeAll
    void killRedisAndCutPostgres() {
        service =
                stage.launchBehindProxy(
                                Stage.settings(
                                        Stage.PATIENT_WITH_REDIS,
                                        "ovation.internal.requests.attach=100ms"))
                        .attached();
        assertThat(service.add(POSTS, "1", "ann", "👍").status()).isEqualTo(200);
        stage.redisProcess.kill();
        stage.proxy().cut();
        Parts.awaitDown(service, "redis");
        Parts.awaitDown(service, "postgres");
    }

    @AfterAll
    void close() {
        stage.close();
    }

    @Test
    void readsAreRefused() {
        Parts.assertUnavailable(service.read(POSTS, "1", "ann"));
        Parts.assertUnavailable(service.read(POSTS, "1", null));
        Parts.assertUnavailable(Parts.screen(service, "ann", "1"));
    }

    @Test
    void writesAreRefused() {
        Parts.assertRefused(service.add(POSTS, "1", "ben", "👍"));
        Parts.assertRefused(service.remove(POSTS, "1", "ann", "👍"));
    }

    @Test
    void theServiceIsAliveAndNotReady() {
        Parts.assertReadiness(service, 503);
        Parts.assertAlive(service);
        assertThat(stage.metric(service, "ovation_postgres_up", "")).isZero();
        assertThat(stage.metric(service, "ovation_redis_up", "")).isZero();
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void allOperationsSucceedWhenBothAreBack() {
        stage.proxy().mend();
        stage.redisProcess.restart();
        service.attached();

        Parts.awaitAccepted(() -> service.add(POSTS, "1", "ben", "👍"));
        assertThat(Stage.own(service.read(POSTS, "1", "ann"))).containsExactly("👍");
        Parts.awaitAllUp(service);
        Parts.assertReadiness(service, 200);
        stage.assertSound();
    }
}
