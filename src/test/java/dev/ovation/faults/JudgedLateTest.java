package dev.ovation.faults;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.outbox.CommittedChanges;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.outbox.UnsettledException;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.TestFailpoints;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An import or a repair has committed a new state. An event on the previous state is not judged
 * within the time that both wait for its judgement.
 */
@Beside
class JudgedLateTest {

    /** Rows of one merge of an import. */
    private static final int PIECE = 200;

    private static final TestFailpoints FAILPOINTS = new TestFailpoints();
    private static Stage stage;
    private static Instance service;

    @BeforeAll
    static void start() {
        stage = Stage.open();
        service =
                start(
                        stage,
                        FAILPOINTS.exceptInRelays(),
                        "ovation.internal.audit.max-duration=40s", // each audit reaches every
                        // entity
                        "ovation.internal.transfers.batch=" + PIECE,
                        "ovation.internal.transfers.max-lock-time=60s"); // slowness does not reduce
        // the batch size
    }

    @AfterAll
    static void close() {
        try (var _ = stage;
                var _ = service) {
            stage.assertSound();
        }
    }

    private static Instance start(Stage stage, Failpoints failpoints, String... settings) {
        return Instance.start(
                        failpoints,
                        stage.url,
                        stage.redisProcess.uri(),
                        Stage.CONFIG,
                        Patience.settings(Patience.longWith("ovation.audit.rate=0"), settings))
                .attached();
    }

    /**
     * The relays are held until the end, so that only a repeated acknowledgement can have the event
     * judged.
     */
    @Test
    void anImportRepeatsItsAcknowledgementUntilTheEventIsJudged() {
        var relays = new TestFailpoints();
        Failpoints ofRelays =
                point -> {
                    if (Thread.currentThread().getName().startsWith("relay-")) {
                        relays.reached(point);
                    }
                };
        try (var own = Stage.open();
                // An import waits for two time-outs, so that it gives up after 2 seconds.
                var hasty = start(own, ofRelays, "ovation.internal.hot.command-timeout=1s")) {
            Parts.awaitTaken(() -> hasty.add(POSTS, "late", "ann", "👍", "if_exists=ok"));
            own.awaitDrained();
            var row = own.hold("select 1 from entity where entity = 'late' for update");
            String file = Imports.HEADER + POSTS + ",late,ben,🔥,1000\n";
            String id = Imports.id(Imports.send(hasty, "kind=reactions", Imports.CSV, file));
            own.awaitBlockedBy(row); // the import
            try (var _ = relays.pauseAt(Point.AFTER_READ)) {
                own.propose(POSTS, "late", "cat", "👎");
                row.release();

                Imports.done(hasty, id);

                assertThat(Stage.own(hasty.read(POSTS, "late", "ben"))).containsExactly("🔥");
                assertThat(own.unapplied()).isZero();
            }
            assertThat(own.stored(POSTS, "late", "cat")).isEmpty();
            own.assertSound();
        }
    }

    @Test
    void anUnjudgedStepDoesNotShrinkTheNextStep() {
        assertThat(add(service, NOTES, "pieces", "ann").status()).isEqualTo(200);
        stage.awaitDrained();
        FAILPOINTS.failOnceAt(Point.AFTER_COMMIT, new UnsettledException("by the test"));

        Imports.run(
                service, "kind=reactions", Imports.everywhere(NOTES, List.of("pieces"), 2 * PIECE));

        assertThat(FAILPOINTS.hasFailedAt(Point.AFTER_COMMIT)).isTrue();
        assertThat(pieces()).isEqualTo(2);
        assertThat(stage.count(NOTES, "pieces", "🔥")).isEqualTo(2 * PIECE);
    }

    /** Each merge adds a version gap; the first version is that of the add. */
    private static long pieces() {
        long version =
                stage.sql.queryForObject(
                        "select version from entity where entity = 'pieces'", Long.class);
        return (version - 1) / service.bean(PartitionTransactions.class).leap();
    }

    /** The failure is one before the acknowledgement and the announcement. */
    @Test
    void aRepairThatIsNotJudgedInTimeIsReportedAsMadeAndIsAnnounced() {
        var announced = ConcurrentHashMap.<EntityKey>newKeySet();
        var key = Stage.key(NOTES, "wrong");
        service.bean(CommittedChanges.class).listen(announced::add, () -> {});
        assertThat(add(service, NOTES, "wrong", "ann").status()).isEqualTo(200);
        stage.awaitDrained();
        Wait.until("the add is announced", () -> announced.remove(key));
        stage.sql.update("update named_counter set count = 7 where entity = 'wrong'");
        FAILPOINTS.failOnceAt(Point.AFTER_COMMIT, new UnsettledException("by the test"));

        var lines = new Audits(service).repair("wrong");

        assertThat(FAILPOINTS.hasFailedAt(Point.AFTER_COMMIT)).isTrue();
        assertThat(lines).containsExactly("postgres count 👍: 7 instead of 1");
        Wait.until("the repair is announced", () -> announced.contains(key));
        assertThat(stage.count(NOTES, "wrong", "👍")).isEqualTo(1);
    }

    private static Instance.Answer add(
            Instance service, String namespace, String entity, String user) {
        return service.add(namespace, entity, user, "👍");
    }
}
