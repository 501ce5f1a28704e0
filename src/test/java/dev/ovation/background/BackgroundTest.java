package dev.ovation.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.background.BackgroundWork.StepResult;
import dev.ovation.testing.TestPostgres;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import javax.sql.DataSource;

/** The turns of one instance. */
@Isolated
@ExtendWith(OutputCaptureExtension.class)
class BackgroundTest {

    private static final DataSource SOURCE = TestPostgres.database();

    private final JdbcTemplate jdbc = new JdbcTemplate(SOURCE);
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Scripted work = new Scripted();
    private final BackgroundJob job = new BackgroundJob(work, Duration.ofMinutes(1), registry);
    private final Background background =
            new Background(
                    new TurnTable(
                            jdbc,
                            new TransactionTemplate(new JdbcTransactionManager(SOURCE)),
                            0.05),
                    List.of(job));

    /** Executes the steps of the test in order; null: it fails. */
    private static final class Scripted implements BackgroundWork {
        private final Deque<StepResult> steps = new ArrayDeque<>();
        private boolean failing;
        private long rest;

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public Duration interval() {
            return Duration.ofHours(1);
        }

        @Override
        public StepResult step(Turn turn) throws InterruptedException {
            if (failing) {
                throw new DataAccessResourceFailureException("by the test");
            }
            if (rest > 0) {
                turn.rest(rest);
            }
            return steps.remove();
        }
    }

    @BeforeEach
    void aJobThatIsDue() {
        jdbc.execute("truncate background");
        jdbc.execute("insert into background (job, due_at) values ('scripted', now())");
    }

    @Test
    void aTurnContinuesUntilAllIsDone() throws Exception {
        work.steps.addAll(
                List.of(StepResult.MORE, StepResult.MORE, StepResult.DONE, StepResult.DONE));
        while (work.steps.size() > 1) {
            background.turn(job); // on a slow machine each step is a turn
            jdbc.update("update background set debt = 0");
        }

        assertThat(background.turn(job)).isGreaterThan(Duration.ofMinutes(59));
        assertThat(work.steps).hasSize(1);
        assertThat(job.lag()).isZero();
    }

    @Test
    void aJobWithRemainingWorkStaysDue() throws Exception {
        work.steps.addAll(List.of(StepResult.LATER, StepResult.DONE));

        assertThat(background.turn(job)).isPositive();
        assertThat(jdbc.queryForObject("select due_at <= now() from background", Boolean.class))
                .isTrue();
        jdbc.update("update background set debt = 0, due_at = now() - interval '30 s'");
        assertThat(background.turn(job)).isZero();
        assertThat(work.steps).isEmpty();
        assertThat(job.lag()).isGreaterThanOrEqualTo(30);
        assertThat(job.isBehind()).isFalse();
    }

    @Test
    void aTurnThatIsAllRestIsNoWork() throws Exception {
        work.steps.add(StepResult.DONE);
        work.rest = 300;
        long begun = System.nanoTime();
        background.turn(job);
        double most = (System.nanoTime() - begun) / 1e9 - 0.299;

        assertThat(jdbc.queryForObject("select worked from background", Double.class))
                .isLessThan(most);
        assertThat(registry.get("ovation.background.time").counter().count()).isLessThan(most);
    }

    @Test
    void fallingBehindAndCatchingUpAreEachLoggedOnce(CapturedOutput output) throws Exception {
        jdbc.update("update background set debt = 1e6, due_at = now() - interval '61 s'");
        background.turn(job);
        background.turn(job);
        assertThat(job.isBehind()).isTrue();
        assertThat(output).containsOnlyOnce("falls behind: scripted");
        assertThat(registry.get("ovation.background.lag").gauge().value())
                .isGreaterThanOrEqualTo(61);

        jdbc.update("update background set debt = 0");
        work.steps.add(StepResult.DONE);
        background.turn(job);
        background.turn(job);
        assertThat(job.isBehind()).isFalse();
        assertThat(output).containsOnlyOnce("catches up: scripted");
    }

    @Test
    void aRepeatedFailureIsLoggedOnceAndItsEndIsLogged(CapturedOutput output) throws Exception {
        work.failing = true;
        for (int i = 0; i < 2; i++) {
            assertThat(background.turn(job)).isPositive();
            jdbc.update("update background set debt = 0");
        }
        assertThat(output).containsOnlyOnce("fails: scripted");

        work.failing = false;
        work.steps.add(StepResult.DONE);
        background.turn(job);
        assertThat(output).containsOnlyOnce("goes on: scripted");
    }
}
