package dev.ovation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.watermark.Watermarks;
import dev.ovation.testing.Citus;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.TestFailpoints;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Commits that are decided, while a node of a Citus has yet to make them. */
@EnabledIf("isOnCitus")
class UndecidedCommitTest {

    private static final String ENTITY = "behind";
    private static final int P = Stage.partition(Stage.POSTS, ENTITY);

    private final TestFailpoints failpoints = new TestFailpoints();
    private final TestFailpoints relays = new TestFailpoints();

    static boolean isOnCitus() {
        return Citus.IS_GIVEN;
    }

    /** The locked row stands for one of a prepared transaction. */
    @Test
    void anInvisibleChangeIsNeitherPublishedNorAcknowledged() {
        try (var stage = Stage.open();
                var service = start(stage)) {
            assertThat(service.add(Stage.POSTS, ENTITY, "ann", "👍").status()).isEqualTo(200);
            stage.awaitDrained();
            var watermarks = service.bean(Watermarks.class);
            var before = watermarks.position(P);
            try (var _ = relays.pauseAt(Point.AFTER_READ);
                    var committed = failpoints.pauseAt(Point.AFTER_COMMIT)) {
                CompletableFuture<Boolean> change;
                try (var read = failpoints.pauseAt(Point.AFTER_READ)) {
                    change = Stage.meanwhile(() -> acknowledgeAgain(service));
                    read.awaitArrival();
                    stage.propose(Stage.POSTS, ENTITY, "cat", "🔥");
                }
                committed.awaitArrival();
                try (var _ =
                        stage.hold("select from partition where p = %d for update".formatted(P))) {
                    committed.release();

                    assertThatThrownBy(change::join).hasCauseInstanceOf(UnsettledException.class);
                    assertThat(watermarks.position(P)).isEqualTo(before);
                    assertThat(stage.redis().hget("{" + P + "}:meta", "acked"))
                            .isEqualTo("" + before.applied());
                }
            }
            Wait.until("the change is acknowledged", () -> acknowledgeAgain(service));

            assertThat(watermarks.position(P).epoch()).isGreaterThan(before.epoch());
            assertThat(Stage.own(service.read(Stage.POSTS, ENTITY, "cat"))).containsExactly("🔥");
            stage.assertSound();
        }
    }

    @Test
    void aRowThatIsBehindMeansARestoredPostgresOnlyIfNoCommitIsUndecided() {
        try (var stage = Stage.open();
                var service = start(stage)) {
            var fences = service.bean(Fences.class);
            var before = epochs(fences);
            var watermarks = service.bean(Watermarks.class);
            var position = watermarks.position(P);
            var session = new SingleConnectionDataSource(stage.url, "postgres", "postgres", true);
            try {
                var sql = new JdbcTemplate(session);
                sql.execute("begin");
                sql.execute("prepare transaction 'citus_undecided'");
                watermarks.advance(
                        P, position.epoch(), position.applied(), position.applied() + 1, Set.of());

                service.bean(PostgresWatch.class).look();

                assertThat(epochs(fences)).isEqualTo(before);
                sql.execute("rollback prepared 'citus_undecided'");
            } finally {
                session.destroy();
            }
            Wait.until(
                    "all epochs have ended",
                    () -> epochs(fences).stream().noneMatch(before::contains));
            service.attached();
            stage.assertSound();
        }
    }

    private static boolean acknowledgeAgain(Instance service) throws InterruptedException {
        return service.bean(PartitionTransactions.class)
                .acknowledgeAgain(P, List.of(Stage.key(Stage.POSTS, ENTITY)));
    }

    private static List<Long> epochs(Fences fences) {
        return IntStream.range(0, fences.partitions().count())
                .mapToObj(fences::of)
                .map(fence -> fence == null ? 0 : fence.epoch())
                .toList();
    }

    private Instance start(Stage stage) {
        Failpoints both =
                point -> {
                    failpoints.exceptInRelays().reached(point);
                    if (Thread.currentThread().getName().startsWith("relay-")) {
                        relays.reached(point);
                    }
                };
        return Instance.start(
                        both,
                        stage.url,
                        stage.redisProcess.uri(),
                        Stage.CONFIG,
                        Patience.settings(
                                Patience.longWith("ovation.audit.rate=0"),
                                "ovation.internal.hot.command-timeout=1s"))
                .attached();
    }
}
