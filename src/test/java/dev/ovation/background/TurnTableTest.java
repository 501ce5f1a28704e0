package dev.ovation.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ovation.background.TurnTable.TurnRequest;
import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two instances on one table, with a clock of the test. */
@Beside
class TurnTableTest {

    private static final double SHARE = 0.05;
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration ROUNDING = Duration.ofMillis(1);

    /** One connection: the clock of the test makes many short statements. */
    private final SingleConnectionDataSource source =
            new SingleConnectionDataSource(TestPostgres.url(), "postgres", "postgres", true);

    private final JdbcTemplate jdbc = new JdbcTemplate(source);
    private final TurnTable one = instance(SHARE);
    private final TurnTable other = instance(SHARE);

    @AfterEach
    void close() {
        source.destroy();
    }

    @BeforeEach
    void twoJobsThatAreDue() {
        jdbc.execute("create table if not exists clock as select now()");
        jdbc.execute("truncate background");
        for (String job : List.of("ranking", "audit")) {
            one.register(job, EVERY);
            other.register(job, EVERY);
        }
        pass(1);
    }

    private TurnTable instance(double share) {
        var transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        return new TurnTable(jdbc, transactions, share, "(select now from clock)");
    }

    @Test
    void aJobThatIsNotDueIsNotTaken() {
        one.register("sweep", Duration.ofSeconds(7));

        assertPause(one.take("sweep", Duration.ofSeconds(7)), 7);
    }

    @Test
    void aJobThatWorkedWorksAgainOnceThatIsItsShareOfTheTime() {
        work(one, "ranking", 2, null);

        assertPause(one.take("ranking", EVERY), 38);
        pass(37.9);
        assertPause(one.take("ranking", EVERY), 0.1);
        pass(0.1);
        assertTaken(one.take("ranking", EVERY));
    }

    @Test
    void aDebtDelaysTheJobOnOtherInstancesToo() {
        work(one, "ranking", 2, null);

        assertPause(other.take("ranking", EVERY), 38);
    }

    @Test
    void aCompletedJobIsDueAgainAfterTheGivenTime() {
        assertTaken(one.take("ranking", EVERY));
        one.end("ranking", 0, 1.0);

        assertPause(other.take("ranking", EVERY), 1);
        pass(1.5);
        TurnRequest late = other.take("ranking", EVERY);
        assertTaken(late);
        assertThat(late.late()).isCloseTo(Duration.ofMillis(500), ROUNDING);
    }

    @Test
    void onlyOneWorksOnAJobUntilItsLeaseEnds() {
        assertTaken(one.take("ranking", EVERY));

        assertPause(other.take("ranking", EVERY), TurnTable.LEASE.toSeconds());
        assertTaken(other.take("audit", EVERY));
        pass(TurnTable.LEASE.toSeconds());
        assertTaken(other.take("ranking", EVERY));
    }

    @Test
    void theWholeOfAProcessorIsWithoutPauses() {
        TurnTable greedy = instance(1);
        work(greedy, "ranking", 2, null);

        assertTaken(greedy.take("ranking", EVERY));
    }

    /** One job needs 60 times as long for a turn as another. */
    @Test
    void togetherAllTakeTheShareAndEachAnEqualPartOfIt() {
        one.register("sweep", EVERY);
        pass(1);
        double begun = now();
        Map<String, Double> turns = Map.of("ranking", 0.04, "audit", 0.3, "sweep", 0.005);
        var worked = new HashMap<String, Double>();
        for (int i = 0; now() < begun + 60; i++) {
            double next = Double.MAX_VALUE;
            for (var turn : turns.entrySet()) {
                TurnTable instance = i % 2 == 0 ? one : other;
                TurnRequest asked = instance.take(turn.getKey(), EVERY);
                if (asked.taken()) {
                    pass(turn.getValue());
                    instance.end(turn.getKey(), turn.getValue(), null);
                    worked.merge(turn.getKey(), turn.getValue(), Double::sum);
                    next = 0;
                } else {
                    next = Math.min(next, asked.pause().toNanos() / 1e9);
                }
            }
            pass(next + 1e-5);
        }
        double time = now() - begun;
        double all = worked.values().stream().mapToDouble(each -> each).sum();

        assertThat(all / time).isBetween(0.95 * SHARE, SHARE + 0.345 / time);
        assertThat(worked.values()).allSatisfy(each -> assertThat(each / all).isBetween(0.2, 0.5));
    }

    @Test
    void aJobDueWhileNoInstanceRanIsDueFromItsRegistration() {
        pass(3600);
        one.register("ranking", EVERY);
        other.register("ranking", EVERY);

        assertThat(one.take("ranking", EVERY).late()).isCloseTo(Duration.ZERO, ROUNDING);
        assertThat(one.take("audit", EVERY).late()).isCloseTo(Duration.ofHours(1), ROUNDING);
    }

    @Test
    void aJobDoesNotWaitForAClockThatWentBack() {
        assertTaken(one.take("ranking", EVERY));
        one.end("ranking", 0, 1.0);
        assertTaken(one.take("audit", EVERY));
        pass(-3600);

        assertTaken(other.take("ranking", EVERY));
        assertTaken(other.take("audit", EVERY));
    }

    @Test
    void theTableRecordsTheWorkingTimeOfEachJob() {
        work(one, "ranking", 2, 1.0);
        pass(100);
        work(other, "ranking", 0.5, 1.0);

        assertThat(
                        jdbc.queryForObject(
                                "select worked from background where job = 'ranking'",
                                Double.class))
                .isEqualTo(2.5, within(1e-9));
    }

    private void work(TurnTable instance, String job, double seconds, Double due) {
        assertTaken(instance.take(job, EVERY));
        pass(seconds);
        instance.end(job, seconds, due);
    }

    private void pass(double seconds) {
        jdbc.update("update clock set now = now + ? * interval '1 second'", seconds);
    }

    private double now() {
        return jdbc.queryForObject(
                "select extract(epoch from now)::double precision from clock", Double.class);
    }

    private static void assertTaken(TurnRequest asked) {
        assertThat(asked.taken()).as(asked.toString()).isTrue();
    }

    private static void assertPause(TurnRequest asked, double seconds) {
        assertThat(asked.taken()).isFalse();
        assertThat(asked.pause()).isCloseTo(Duration.ofMillis((long) (seconds * 1e3)), ROUNDING);
    }
}
