package dev.ovation.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.List;

class ReportTest {

    private final Observations observations =
            Observations.of(
                    List.of(
                            "empty\t1\tper_s\t100",
                            "get\t1\tper_s\t50",
                            "empty\t2\tper_s\t200",
                            "get\t2\tper_s\t160",
                            "empty\t3\tper_s\t100",
                            "get\t3\tper_s\t70"));

    @Test
    void theMedianIsTheMiddleOne() {
        assertThat(Statistics.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(Statistics.median(List.of(9.0, 1.0, 5.0, 6.0))).isEqualTo(5.5);
        assertThat(Statistics.median(List.of())).isNaN();
    }

    @Test
    void theCoefficientOfVariationIsTheDeviationByTheMean() {
        assertThat(Statistics.variation(List.of(2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0)))
                .isEqualTo(2.0 / 5, within(1e-12));
    }

    @Test
    void ratiosAreMadeWithinARound() {
        var report = new Report(observations, "Title", List.of("ratio=per_s/empty"));

        assertThat(report.markdown()).contains("| get | 70 [50–160] | 0.700 [0.500–0.800] |");
    }

    @Test
    void aGoalIsReachedOrMissedOrWasNotMeasured() {
        assertThat(verdict("get:per_s/empty>=0.7")).endsWith("is 0.700: **reached**");
        assertThat(verdict("get:per_s/empty>=0.71")).endsWith("is 0.700: **missed**");
        assertThat(verdict("get:per_s<=60")).endsWith("is 70: **missed**");
        assertThat(verdict("put:per_s<=60")).endsWith("is not measured: **missed**");
    }

    @Test
    void oneRoundWithErrorsIsEnough() {
        var rounds =
                List.of(
                        "get\t1\terrors\t0",
                        "get\t2\terrors\t900",
                        "get\t3\terrors\t0",
                        "put\t1\terrors\t0");

        assertThat(new Report(Observations.of(rounds), "Title", List.of()).markdown())
                .contains("- get: errors is to be at most 0 and is 900: **missed**")
                .doesNotContain("put: errors is");
    }

    @Test
    void oneRoundBelowTheRateIsEnough() {
        var rounds =
                List.of(
                        "get\t1\trate_reached\t1",
                        "get\t2\trate_reached\t0.9",
                        "get\t3\trate_reached\t1");

        assertThat(new Report(Observations.of(rounds), "Title", List.of()).markdown())
                .contains("- get: rate_reached is to be at least 0.950 and is 0.900: **missed**");
    }

    @Test
    void anAbsenceOfErrorsIsReportedInOneSentence() {
        var rounds = List.of("get\t1\terrors\t0", "put\t1\terrors\t0");

        assertThat(new Report(Observations.of(rounds), "Title", List.of()).markdown())
                .contains("- all, in every round: errors<=0: **reached**");
    }

    private String verdict(String goal) {
        return Goal.of(goal).verdict(observations);
    }
}
