package dev.ovation.faults.postgres;

import static dev.ovation.faults.Stage.POSTS;
import static dev.ovation.faults.postgres.Answers.assertOk;
import static dev.ovation.faults.postgres.Answers.assertShown;
import static dev.ovation.faults.postgres.Answers.assertUnknown;
import static dev.ovation.faults.postgres.Answers.awaitRefusal;
import static dev.ovation.faults.postgres.Answers.awaitTaken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;

/** The line to Postgres is slow, drops all data, or loses a reply. */
@Beside
@Tag("embedded")
@ExtendWith(OwnPostgres.class)
class PostgresLineTest {

    /** Port and transaction of each session that waits in the trigger. */
    private static final String WAITING =
            """
            select client_port, backend_xid from pg_stat_activity
            where  datname = current_database() and wait_event = 'advisory'
            """;

    private final Stage stage = OwnPostgres.stage();
    private final Instance service = OwnPostgres.service();

    @AfterEach
    void allIsSound() {
        stage.proxy().mend();
        stage.assertSound();
    }

    @Test
    void whileItIsSlowAnswersAreTrueAndAfterwardsAllIsThere(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        try (var writers = new Writers(service, entity)) {
            writers.awaitSome();
            stage.proxy().delay(40); // a commit takes several statements, about half a second
            writers.awaitSome();
            stage.proxy().delay(0);
            writers.awaitSome();
            writers.stop();
            writers.assertNothingIsLost(stage);
        }
    }

    @Test
    void aStatementSlowerThanTheDeadlineLeavesTheOutcomeUnknownAndIsMadeOnce(TestInfo test) {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        stage.awaitDrained();
        stage.sql.execute(
                """
                create or replace function slow() returns trigger language plpgsql as
                $$ begin perform pg_advisory_xact_lock_shared(377); return new; end $$
                """);
        stage.sql.execute(
                "create trigger slow before update on entity for each row execute function slow()");
        try {
            // The trigger waits until the answer; a fixed delay might end the transaction at each
            // attempt.
            try (var _ = stage.hold("select pg_advisory_xact_lock(377)")) {
                assertUnknown(service.add(POSTS, entity, "ben", "👍"));
            }
            stage.awaitDrained();
        } finally {
            stage.sql.execute("drop trigger slow on entity");
        }
        assertThat(stage.stored(POSTS, entity, "ben")).containsExactly("👍");
        awaitTaken(service, entity, "cat");
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(3);
    }

    @Test
    void aLineThatSwallowsEverythingLeavesThoseInFlightUnknownAndRefusesLaterOnes(TestInfo test) {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        awaitTaken(service, entity, "ben");
        stage.awaitDrained();
        stage.proxy().blackHole();
        // An addition would be refused without a fresh copy of the bans.
        assertUnknown(service.remove(POSTS, entity, "ben", "👍"));
        awaitRefusal(service, entity);
        assertShown(service, entity, "ann", "👍");
        stage.proxy().mend();

        awaitTaken(service, entity, "cat");
        assertThat(stage.stored(POSTS, entity, "ben")).isEmpty();
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(2);
    }

    @Test
    void aCommitWithALostReplyIsRecognisedByTheNextRelayCycle() throws Exception {
        assertThat(isStoredByTheCommitThatWasLost(true)).isTrue();
    }

    @Test
    void aLostCommitIsAppliedOnceByTheNextRelayCycle() throws Exception {
        assertThat(isStoredByTheCommitThatWasLost(false)).isFalse();
    }

    /**
     * Uses a stage of its own, so that no other instance can commit. The relay's transaction waits
     * in its last statement, so that its commit is the next request on that connection. The relay's
     * call has no commit of its own; {@code RelayCallTest} covers a session that ends within it.
     */
    private static boolean isStoredByTheCommitThatWasLost(boolean requestArrives) throws Exception {
        try (var own = Stage.openOn(OwnPostgres.postgres())) {
            var patient =
                    own.launchBehindProxy(
                                    Patience.longWith("ovation.internal.relay.one-call=false"))
                            .attached();
            assertOk(patient.add(POSTS, "1", "ann", "👍"));
            own.awaitDrained();
            own.sql.execute(
                    """
                    create function last() returns trigger language plpgsql as
                    $$ begin perform pg_advisory_xact_lock_shared(378); return new; end $$
                    """);
            own.sql.execute(
                    "create trigger last before update on partition for each row"
                            + " execute function last()");
            var hold = own.hold("select pg_advisory_xact_lock(378)");
            var ben = Stage.meanwhile(() -> patient.add(POSTS, "1", "ben", "👍"));
            String[] relay =
                    Wait.until(
                                    "a relay is about to commit",
                                    () -> own.rows(WAITING),
                                    waiting -> waiting.size() == 1)
                            .getFirst()
                            .split(" ");
            own.proxy().loseNext(Integer.parseInt(relay[0]), requestArrives);
            hold.release();

            assertOk(ben.get());
            assertThat(own.proxy().hasLost()).isTrue();
            assertOk(patient.add(POSTS, "2", "ben", "👍"));
            own.assertSound();
            assertThat(own.count(POSTS, "1", "👍")).isEqualTo(2);
            return own.rows("select xmin from entity where entity = '1' and version = 2")
                    .equals(List.of(relay[1]));
        }
    }
}
