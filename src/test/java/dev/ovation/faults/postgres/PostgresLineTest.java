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
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The line to Postgres is slow, swallows everything, or loses a reply. */
@Beside
@Tag("embedded")
@ExtendWith(OwnPostgres.class)
class PostgresLineTest {

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
            stage.proxy().delay(40); // some statements long: a commit takes about half a second
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
            // As slow as the answer: one that took a fixed time might end the transaction each
            // time.
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
        stage.awaitDrained();
        stage.proxy().blackHole();
        assertUnknown(service.add(POSTS, entity, "ben", "👍"));
        awaitRefusal(service, entity);
        assertShown(service, entity, "ann", "👍");
        stage.proxy().mend();

        awaitTaken(service, entity, "cat");
        assertThat(stage.stored(POSTS, entity, "ben")).containsExactly("👍");
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(3);
    }

    @Test
    void whoseCommitLostItsReplyIsToldTheTruthByTheNextLook(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        stage.awaitDrained();
        try (var patient = OwnPostgres.patient()) {
            stage.proxy().loseReply("COMMIT");

            assertOk(patient.add(POSTS, entity, "ben", "👍"));

            Wait.until("a reply was lost", stage.proxy()::hasLost);
            assertOk(patient.add(POSTS, entity, "cat", "👍"));
        }
        stage.awaitDrained();
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(3);
        assertThat(stage.rows("select version from entity where entity = ?", entity))
                .containsExactly("3");
    }

    @Test
    void whoseCommitNeverArrivedIsAppliedByTheNextPassOnce(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        stage.awaitDrained();
        try (var patient = OwnPostgres.patient()) {
            stage.proxy().loseRequest("COMMIT");

            assertOk(patient.add(POSTS, entity, "ben", "👍"));

            Wait.until("a request was lost", stage.proxy()::hasLost);
        }
        stage.awaitDrained();
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(2);
        assertThat(stage.rows("select version from entity where entity = ?", entity))
                .containsExactly("2");
    }
}
