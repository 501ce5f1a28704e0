package dev.ovation.faults;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Patience;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Test;

import java.util.List;

@Beside
class TwoInstancesTest {

    private static final long SEED = Seed.from("seed", 377);

    @Test
    void manyUsersThroughTwoInstancesEndWithExactCountsAndNothingLeftOver() throws Exception {
        try (var stage = Stage.open()) {
            var instances = List.of(stage.start(Patience.LONG), stage.start(Patience.LONG));
            var crowd = new Crowd(SEED, instances, List.of("1", "2", "a:b {3} 👩‍💻"));

            var users = crowd.run(63, 61);

            stage.assertSound();
            Crowd.assertStored(stage, users);
        }
    }
}
