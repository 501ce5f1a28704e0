package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

import java.util.List;

/**
 * Row "Postgres" of "When a part is down" in {@code docs/guarantees.md}; the line is cut once for
 * all tests.
 */
@Beside
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class PostgresDownTest {

    private final Stage stage = Stage.open();
    private Instance service;
    private Answer inFlight;

    @BeforeAll
    void cutPostgres() {
        // Treats Postgres as stuck after the default time, and has long time-outs for Redis.
        service =
                stage.launchBehindProxy(
                                "ovation.requests.deadline=10s",
                                "ovation.internal.requests.attach=10s",
                                "ovation.internal.hot.command-timeout=10s")
                        .attached();
        for (String entity : List.of("hot", "cold")) {
            add(entity, "ann");
        }
        add("hot", "ben");
        stage.evict("cold");
        stage.proxy().cut();
        // An addition would be refused without a fresh copy of the bans.
        inFlight = service.remove(POSTS, "hot", "ben", "👍");
        Wait.until("stuck without a waiting request", () -> Parts.isStuck(service));
        Parts.awaitDown(service, "postgres");
    }

    private void add(String entity, String user) {
        Parts.awaitTaken(() -> service.add(POSTS, entity, user, "👍", "if_exists=ok"));
    }

    @AfterAll
    void close() {
        stage.close();
    }

    @Test
    void hotReadsContinue() {
        assertThat(Stage.own(service.read(POSTS, "hot", "ann"))).containsExactly("👍");
        assertThat(service.read(POSTS, "hot", null).status()).isEqualTo(200);
        assertThat(Parts.screen(service, "ann", "hot").status()).isEqualTo(200);
    }

    @Test
    void coldReadsAreRefused() {
        Parts.assertUnavailable(service.read(POSTS, "cold", "ann"));
        Parts.assertUnavailable(service.read(POSTS, "never-seen", null));
        Parts.assertUnavailable(Parts.screen(service, "ann", "hot", "cold"));
    }

    @Test
    void writesInFlightEndUnknown() {
        Parts.assertUnknown(inFlight);
    }

    @Test
    void writesAreRefusedBeforeTheyTouchRedis() {
        Wait.until("no read has a lease", () -> stage.redis().keys("{*}:l:*").isEmpty());
        var before = stage.everythingInRedis();

        Parts.assertRefused(service.add(POSTS, "hot", "cat", "👍"));
        Parts.assertCause(service, "stuck");
        Parts.assertRefused(service.remove(POSTS, "hot", "ann", "👍"));
        Parts.assertRefused(service.add(POSTS, "cold", "cat", "👍"));

        assertThat(stage.everythingInRedis()).isEqualTo(before);
    }

    @Test
    void theServiceStaysReadyAndReportsPostgresAsDown() {
        Parts.assertReadiness(service, 200);
        Parts.assertAlive(service);
        Parts.assertSince(service, "postgres");
        assertThat(stage.metric(service, "ovation_postgres_up", "")).isZero();
        assertThat(stage.metric(service, "ovation_redis_up", "")).isOne();
        assertThat(stage.metric(service, "ovation_relay_failures_total", "")).isPositive();
        assertThat(stage.metric(service, "ovation_outbox_length_events", "")).isPositive();
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void unknownWritesCommitAndNewOnesSucceedOncePostgresReturns() {
        stage.proxy().mend();

        Wait.until(
                "writes are accepted",
                () -> service.add(POSTS, "hot", "cat", "👍", "if_exists=ok").status() == 200);
        assertThat(stage.stored(POSTS, "hot", "ben")).isEmpty();
        assertThat(Stage.counts(service.read(POSTS, "hot", "ann"))).containsEntry("👍", 2L);
        Wait.until("loads succeed", () -> service.read(POSTS, "cold", "ann").status() == 200);
        assertThat(Stage.own(service.read(POSTS, "cold", "ann"))).containsExactly("👍");
        Parts.awaitAllUp(service);
        Wait.until("Postgres is up", () -> stage.metric(service, "ovation_postgres_up", "") == 1);
        stage.assertSound();
    }
}
