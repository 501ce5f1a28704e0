package dev.ovation.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.background.BackgroundWork.StepResult;
import dev.ovation.background.Turn;
import dev.ovation.store.shard.Shards;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.List;

class RankingJobTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Fragile ranking = new Fragile();
    private final RankingJob job = new RankingJob(ranking, registry);

    private static final class Fragile extends Ranking {
        private boolean broken;
        private int marks;
        private final List<Integer> batches = new ArrayList<>();

        Fragile() {
            this(new JdbcTemplate());
        }

        private Fragile(JdbcTemplate none) {
            super(none, new RankingDepth(none, Shards.undivided(), 1, 1), Shards.undivided());
        }

        @Override
        public boolean follow(int batch) {
            batches.add(batch);
            if (broken) {
                throw new DataAccessResourceFailureException("by the test");
            }
            marks -= batch;
            return marks >= 0;
        }

        @Override
        double age() {
            if (broken) {
                throw new DataAccessResourceFailureException("by the test");
            }
            return 1.5;
        }
    }

    @Test
    void afterAFailureItTakesFewerMarksUntilThatGoesWell() {
        ranking.broken = true;
        assertFails();
        assertFails();
        ranking.broken = false;
        ranking.marks = 700;
        while (job.step(new Turn()) == StepResult.MORE) {
            assertThat(ranking.marks).isNotNegative();
        }

        assertThat(ranking.batches).containsExactly(500, 250, 125, 250, 500);
    }

    @Test
    void theAgeIsUnknownUntilItWasReadAndGrowsFromThere() {
        assertThat(age()).isNaN();
        job.readAge();
        assertThat(age()).isGreaterThanOrEqualTo(1.5);
        ranking.broken = true;
        job.readAge();
        double before = age();
        long start = System.nanoTime();
        while (System.nanoTime() - start < 1_000) {
            Thread.onSpinWait(); // two readings of a coarse clock may be equal
        }
        assertThat(age()).isGreaterThan(before);
    }

    private void assertFails() {
        assertThatThrownBy(() -> job.step(new Turn())).isInstanceOf(DataAccessException.class);
    }

    private double age() {
        return registry.get("ovation.ranking.age").gauge().value();
    }
}
