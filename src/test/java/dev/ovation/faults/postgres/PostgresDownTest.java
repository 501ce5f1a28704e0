package dev.ovation.faults.postgres;

import static dev.ovation.faults.Stage.POSTS;
import static dev.ovation.faults.postgres.Answers.assertRefused;
import static dev.ovation.faults.postgres.Answers.assertShown;
import static dev.ovation.faults.postgres.Answers.assertUnknown;
import static dev.ovation.faults.postgres.Answers.awaitRefusal;
import static dev.ovation.faults.postgres.Answers.awaitTaken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The processes of Postgres stop, die, hang or do not write; no acknowledged change is lost. */
@Beside
@Tag("embedded")
@ExtendWith(OwnPostgres.class)
class PostgresDownTest {

    private final PostgresProcess postgres = OwnPostgres.postgres();
    private final Stage stage = OwnPostgres.stage();
    private final Instance service = OwnPostgres.service();

    @AfterEach
    void allIsSound() {
        stage.assertSound();
    }

    @Test
    void stoppedInOrderUnderLoadAndStartedAgainItHasAllThatWasAcknowledged(TestInfo test)
            throws Exception {
        String entity = test.getDisplayName();
        try (var writers = new Writers(service, entity)) {
            writers.awaitSome();
            postgres.stop();
            awaitRefusal(service, entity);
            postgres.restart();
            writers.awaitSome();
            writers.stop();
            writers.assertNothingIsLost(stage);
        }
    }

    @Test
    void killedUnderLoadAndStartedAgainItHasAllThatWasAcknowledged(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        try (var writers = new Writers(service, entity)) {
            writers.awaitSome();
            postgres.kill();
            awaitRefusal(service, entity);
            postgres.restart();
            writers.awaitSome();
            writers.stop();
            writers.assertNothingIsLost(stage);
        }
    }

    @Test
    void hangingLongerThanTheDeadlineLeavesThoseInFlightUnknownAndRefusesLaterOnes(TestInfo test) {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        awaitTaken(service, entity, "ben");
        stage.awaitDrained();
        postgres.pause();
        try {
            // An addition would be refused without a fresh copy of the bans.
            assertUnknown(service.remove(POSTS, entity, "ben", "👍"));
            awaitRefusal(service, entity);
            assertRefused(service.add(POSTS, entity, "cat", "👍"));
        } finally {
            postgres.resume();
        }
        awaitTaken(service, entity, "dan");
        stage.awaitDrained();
        assertThat(stage.stored(POSTS, entity, "ben")).isEmpty();
        assertThat(stage.stored(POSTS, entity, "cat")).isEmpty();
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(2);
    }

    @Test
    void readOnlyItAnswersReadsAndWritesContinueOnceItIsWritable(TestInfo test) {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        awaitTaken(service, entity, "ben");
        stage.awaitDrained();
        readOnly("on");
        try {
            endSessions();
            // An addition would be refused if it met an ended session first.
            assertUnknown(service.remove(POSTS, entity, "ben", "👍"));
            awaitRefusal(service, entity);
            assertShown(service, entity, "ann", "👍");
            assertShown(service, "cold " + entity, "ann");
        } finally {
            readOnly("off"); // the sessions stay; each would be read-only until its end
        }
        awaitTaken(service, entity, "cat");
        assertThat(stage.stored(POSTS, entity, "ben")).isEmpty();
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(2);
    }

    @Test
    void writesContinueOnceAStandbyIsPromoted(TestInfo test) {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        awaitTaken(service, entity, "ben");
        stage.awaitDrained();
        postgres.stop();
        postgres.demote();
        postgres.restart();
        try {
            // An addition would be refused if it met an ended session first.
            assertUnknown(service.remove(POSTS, entity, "ben", "👍"));
            awaitRefusal(service, entity);
            Wait.until(
                    "a cold read uses the standby",
                    () -> service.read(POSTS, "cold " + entity, "ann").status() == 200);
        } finally {
            assertThat(stage.rows("select pg_promote()")).containsExactly("t");
        }
        awaitTaken(service, entity, "cat");
        assertThat(stage.stored(POSTS, entity, "ben")).isEmpty();
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(2);
    }

    private void readOnly(String value) {
        stage.sql.execute(
                "begin read write; do $$ begin execute format("
                        + "'alter database %I set default_transaction_read_only = "
                        + value
                        + "', current_database()); end $$; commit");
    }

    private void endSessions() {
        stage.rows(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where  datname = current_database() and pid <> pg_backend_pid()
                """);
    }
}
