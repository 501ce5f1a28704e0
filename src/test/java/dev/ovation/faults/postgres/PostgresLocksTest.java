package dev.ovation.faults.postgres;

import static dev.ovation.faults.Stage.POSTS;
import static dev.ovation.faults.postgres.Answers.assertOk;
import static dev.ovation.faults.postgres.Answers.assertShown;
import static dev.ovation.faults.postgres.Answers.assertUnknown;
import static dev.ovation.faults.postgres.Answers.awaitTaken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;

/**
 * Other sessions lock, end or damage rows of the relay; only requests that need them are affected.
 */
@Beside
@Tag("embedded")
@ExtendWith(OwnPostgres.class)
class PostgresLocksTest {

    private final Stage stage = OwnPostgres.stage();
    private final Instance service = OwnPostgres.service();

    /**
     * Instance whose writes wait for their commit on a slow machine, too: here they must not fail.
     */
    private static Instance patient;

    @BeforeAll
    static void startPatient() {
        patient = OwnPostgres.patient();
    }

    @AfterAll
    static void stopPatient() {
        patient.close();
    }

    @AfterEach
    void allIsSound() {
        stage.release();
        stage.assertSound();
    }

    @Test
    void anEntityLockedForLongerThanAllTimeOutsStopsNoOtherPartition(TestInfo test) {
        onlyRequestsOfALockedPartitionWait(
                test.getDisplayName(), "select 1 from entity where entity = '%s' for update");
    }

    @Test
    void aCounterLockedForLongerThanAllTimeOutsStopsNoOtherPartition(TestInfo test) {
        onlyRequestsOfALockedPartitionWait(test.getDisplayName(), Stage.LOCK_COUNTERS);
    }

    @Test
    void aPartitionLockedForLongerThanAllTimeOutsStopsNoOtherPartition(TestInfo test) {
        String entity = test.getDisplayName();
        onlyRequestsOfALockedPartitionWait(
                entity,
                "select 1 from partition where p = %d for update"
                        .formatted(Stage.partition(POSTS, entity)));
    }

    /** Applies whether or not the relay can skip the row by {@code skip locked}. */
    private void onlyRequestsOfALockedPartitionWait(String entity, String lock) {
        String other = elsewhere(entity);
        awaitTaken(service, entity, "ann");
        awaitTaken(service, other, "ann");
        stage.awaitDrained();
        try (var _ = stage.hold(lock.formatted(entity))) {
            assertUnknown(service.add(POSTS, entity, "ben", "👍"));
            awaitTaken(patient, other, "ben");
            assertTaken(other);
        }
        awaitTaken(service, entity, "dan");
        stage.awaitDrained();
        assertThat(stage.stored(POSTS, entity, "ben")).containsExactly("👍");
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(3);
        assertThat(stage.count(POSTS, other, "👍")).isEqualTo(9);
    }

    private static void assertTaken(String other) {
        for (int i = 0; i < 7; i++) {
            assertOk(patient.add(POSTS, other, "cat-" + i, "👍"));
        }
    }

    /** Postgres needs a second to detect the deadlock. */
    @Test
    void aDeadlockEndsOneTransactionAndTheChangesOfBothAreMade(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        stage.awaitDrained();
        var rejectedBefore = rejected(entity);
        // The relay locks the entity first and the counter then; this session the other way round.
        try (var other = stage.hold(Stage.LOCK_COUNTERS.formatted(entity))) {
            other.execute("set local deadlock_timeout = '1h'"); // so the relay is the victim
            var waiting = Stage.meanwhile(() -> patient.add(POSTS, entity, "ben", "👍"));
            stage.awaitBlockedBy(other); // the relay
            other.execute("select 1 from entity where entity = '" + entity + "' for update");
            other.release();
            assertOk(waiting.get());
        }
        stage.awaitDrained();
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(2);
        assertThat(rejected(entity)).isEqualTo(rejectedBefore);
    }

    @Test
    void sessionsEndedInTheMidstOfTheirTransactionsAreReplacedAndNothingIsLost(TestInfo test)
            throws Exception {
        String entity = test.getDisplayName();
        var rejectedBefore = rejected(entity);
        try (var writers = new Writers(service, entity)) {
            for (int i = 0; i < 3; i++) {
                writers.awaitSome();
                stage.rows(
                        """
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where  datname = current_database() and pid <> pg_backend_pid()
                        """);
            }
            writers.awaitSome();
            writers.stop();
            writers.assertNothingIsLost(stage);
        }
        assertThat(rejected(entity)).isEqualTo(rejectedBefore);
    }

    @Test
    void aDamagedPageUnderOneEntityStopsNoOtherPartition(TestInfo test) {
        String entity = test.getDisplayName();
        String other = elsewhere(entity);
        var rejectedBefore = rejected(entity);
        awaitTaken(service, entity, "ann");
        stage.awaitDrained();
        damage(entity);
        try {
            assertUnknown(service.add(POSTS, entity, "ben", "👍"));
            Wait.until(
                    "health names the partition",
                    () ->
                            service.get("/actuator/health")
                                    .json()
                                    .at("/components/relay/details/failing_partitions/0")
                                    .asString("")
                                    .equals("" + Stage.partition(POSTS, entity)));
            assertTaken(other);
            assertThat(service.add(POSTS, entity, "dan", "👍").status()).isEqualTo(503);
            assertShown(service, entity, "ann", "👍");
        } finally {
            stage.sql.execute("drop trigger damaged on entity");
        }
        awaitTaken(service, entity, "eve");
        assertThat(stage.stored(POSTS, entity, "ben")).containsExactly("👍");
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(3);
        assertThat(rejected(entity)).isEqualTo(rejectedBefore);
    }

    /** Causes the error that Postgres returns for a page with a wrong checksum. */
    private void damage(String entity) {
        stage.sql.execute(
                """
                create or replace function damaged() returns trigger language plpgsql as
                $$ begin raise exception 'invalid page in block 0' using errcode = 'XX001'; end $$
                """);
        stage.sql.execute(
                "create trigger damaged before update on entity for each row when (new.entity = '"
                        + entity
                        + "') execute function damaged()");
    }

    /** Rejected events of the entity in its partition, which entities of other tests share. */
    private List<String> rejected(String entity) {
        return stage.rows(
                "select epoch, seq from rejected_event where p = ? order by 1, 2",
                Stage.partition(POSTS, entity));
    }

    /** An entity of another partition. */
    private static String elsewhere(String entity) {
        String other = "elsewhere " + entity;
        return Stage.partition(POSTS, other) == Stage.partition(POSTS, entity)
                ? other + "!"
                : other;
    }
}
