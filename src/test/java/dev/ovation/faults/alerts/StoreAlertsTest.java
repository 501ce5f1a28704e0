package dev.ovation.faults.alerts;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Instance;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;

/** Faults of Redis, of Postgres, of a standby, and of single events. */
@Alerting
class StoreAlertsTest {

    private static AlertBench bench;
    private static Stage stage;
    private static PostgresProcess standby;
    private static Instance first;
    private static Instance second;

    @BeforeAll
    static void start() {
        bench = new AlertBench("wal_keep_size=256MB");
        stage = bench.stage;
        standby = bench.postgres.startStandby("wal_retrieve_retry_interval=100ms");
        first =
                stage.start(
                        "ovation.postgres.replica.url=" + standby.urlOf(stage.url),
                        "ovation.postgres.replica.max-staleness=1s");
        second = stage.start();
        watchBoth();
        bench.load(first);
    }

    private static void watchBoth() {
        bench.prometheus.watch(first.port(), second.port());
    }

    @AfterAll
    static void stop() {
        bench.close();
        standby.close();
    }

    /** Its keys are lost each time, and the last start is late. */
    @Fires({
        "RedisUnusable",
        "RedisUnusableForOne",
        "WritesRefused",
        "ErrorBudgetFast",
        "ErrorBudgetSlow",
        "EpochChurn"
    })
    void aLossOfRedis(TestInfo test) throws Exception {
        bench.shows(
                test,
                () -> {
                    for (int i = 0; i < 5; i++) {
                        stage.redisProcess.kill();
                        stage.redisProcess.restart();
                        Wait.until("writes continue", () -> write().status() == 200);
                    }
                    stage.redisProcess.kill();
                },
                stage.redisProcess::restart);
    }

    private static Instance.Answer write() {
        return second.add(NOTES, "written", "user-" + System.nanoTime(), "👍");
    }

    @Fires({"PostgresUnusable", "LoadsRefused", "PoolExhausted"})
    void aLossOfPostgres(TestInfo test) throws Exception {
        bench.shows(test, bench.postgres::pause, bench.postgres::resume);
    }

    @Fires("ReplicaUnread")
    void aLossOfTheStandby(TestInfo test) throws Exception {
        bench.shows(test, standby::kill, standby::restart);
    }

    /** Each write waits until its deadline, and the next ones to the same partition are refused. */
    @Fires({"OutboxStuck", "CommitWaits", "WritesRefused", "OutcomesUnknown"})
    void aSessionThatLocksThePartitions(TestInfo test) throws Exception {
        bench.shows(test, stage::holdRelays, stage::release);
    }

    /** Postgres accepts no new epoch. */
    @Fires("PartitionsDetached")
    void aLossOfTheKeysWhileASessionLocksThePartitions(TestInfo test) throws Exception {
        bench.shows(
                test,
                () -> {
                    var _ = stage.holdRelays();
                    stage.redis().flushall();
                },
                stage::release);
    }

    /** Relays skip a row that is locked, and fail at a row that cannot be written. */
    @Fires("PartitionsFailing")
    void aRowThatCannotBeWritten(TestInfo test) throws Exception {
        assertThat(second.add(POSTS, "damaged", "ann", "👍").status()).isEqualTo(200);
        stage.sql.execute(
                """
                create function damaged() returns trigger language plpgsql as
                $$ begin raise exception 'invalid page in block 0' using errcode = 'XX001'; end $$
                """);
        bench.shows(
                test,
                () -> {
                    stage.sql.execute(
                            """
                            create trigger damaged before update on entity for each row
                            when (new.entity = 'damaged') execute function damaged()
                            """);
                    var _ = second.add(POSTS, "damaged", "ben", "👍");
                },
                () -> stage.sql.execute("drop trigger damaged on entity"));
    }

    @Fires("PartitionsContested")
    void aSecondMasterOfRedis(TestInfo test) throws Exception {
        var other = stage.beside();
        bench.shows(
                test,
                () -> {
                    Instance third = other.launch();
                    bench.prometheus.watch(first.port(), second.port(), third.port());
                },
                () -> {
                    other.close();
                    watchBoth();
                });
    }

    @Fires({"EventsLost", "ErrorsLogged"})
    void aPoisonEvent(TestInfo test) throws Exception {
        assertThat(second.add(POSTS, "poisoned", "ann", "👍").status()).isEqualTo(200);
        stage.awaitDrained();
        bench.shows(test, () -> stage.propose(POSTS, "poisoned", "poison\0", "🔥"), () -> {});
    }

    /** An instance of the newer release would continue; here the epoch ends. */
    @Fires("PartitionsStopped")
    void anEventOfANewerRelease(TestInfo test) throws Exception {
        assertThat(second.add(POSTS, "newer", "ann", "👍").status()).isEqualTo(200);
        bench.shows(
                test,
                () -> stage.propose("2", POSTS, "newer", "ben", "🔥"),
                () -> stage.redis().flushall());
    }

    @Fires("Drift")
    void aCountThatIsWrong(TestInfo test) throws Exception {
        assertThat(second.add(POSTS, "wrong", "ann", "👍").status()).isEqualTo(200);
        bench.shows(
                test,
                () ->
                        stage.sql.update(
                                """
                                update counter c set count = c.count + 1 from entity e
                                where  e.p = c.p and e.no = c.entity_no and e.entity = 'wrong'
                                """),
                () -> second.send("POST", "/actuator/audit?sample=1000&repair=true", null));
    }
}
