package dev.ovation.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.List;

@Isolated
@ExtendWith(OutputCaptureExtension.class)
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
            super(none, new Depth(none, 1));
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
            return 1.5;
        }
    }

    @Test
    void tellsOnceThatItFailsAndOnceThatItGoesOn(CapturedOutput output) {
        ranking.broken = true;
        job.follow();
        job.follow();
        ranking.broken = false;
        job.follow();
        job.follow();
        assertThat(output).containsOnlyOnce("does not follow").containsOnlyOnce("follows again");

        ranking.broken = true;
        job.follow();
        assertThat(output.getOut().split("WARN .*does not follow", -1)).hasSize(3);
    }

    @Test
    void afterAFailureItTakesFewerMarksUntilThatGoesWell() {
        ranking.broken = true;
        job.follow();
        job.follow();
        ranking.broken = false;
        ranking.marks = 700;
        job.follow();

        assertThat(ranking.batches).containsExactly(500, 250, 125, 250, 500);
    }

    @Test
    void theAgeIsUnknownUntilItWasReadAndGrowsFromThere() {
        assertThat(age()).isNaN();
        job.follow();
        assertThat(age()).isGreaterThanOrEqualTo(1.5);
        ranking.broken = true;
        job.follow();
        double before = age();
        long start = System.nanoTime();
        while (System.nanoTime() - start < 1_000) {
            Thread.onSpinWait(); // two readings of a coarse clock may be the same
        }
        assertThat(age()).isGreaterThan(before);
    }

    private double age() {
        return registry.get("ovation.ranking.age").gauge().value();
    }
}
