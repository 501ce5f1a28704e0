package dev.ovation.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ovation.bench.Statistics.Interval;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

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

    /** Of n values none is below the median with a probability of 1 in 2 to the power of n. */
    @Test
    void theIntervalHoldsTheMedianWith95Percent() {
        assertThat(Statistics.medianInterval(oneTo(5))).isEmpty();
        assertThat(Statistics.medianInterval(oneTo(6))).hasValue(new Interval(1, 6));
        assertThat(Statistics.medianInterval(oneTo(8))).hasValue(new Interval(1, 8));
        assertThat(Statistics.medianInterval(oneTo(9))).hasValue(new Interval(2, 8));
        assertThat(Statistics.medianInterval(oneTo(12))).hasValue(new Interval(3, 10));
        assertThat(Statistics.medianInterval(oneTo(15))).hasValue(new Interval(4, 12));
    }

    private static List<Double> oneTo(int last) {
        return IntStream.rangeClosed(1, last).mapToObj(number -> (double) number).toList();
    }

    @Test
    void aVerdictWithinTheNoiseSaysSo() {
        var rounds =
                Observations.of(
                        IntStream.rangeClosed(1, 12)
                                .mapToObj(number -> "get\t%d\tper_s\t%d".formatted(number, number))
                                .toList());

        assertThat(Goal.of("get:per_s<=11").verdict(rounds))
                .endsWith("is 6.50 (95 %: 3 to 10): **reached**");
        assertThat(Goal.of("get:per_s<=9").verdict(rounds))
                .endsWith("is 6.50 (95 %: 3 to 10): **reached**, within the noise");
        assertThat(Goal.of("get:per_s>=9").verdict(rounds))
                .endsWith("is 6.50 (95 %: 3 to 10): **missed**, within the noise");
        assertThat(Goal.of("get:per_s<=2").verdict(rounds))
                .endsWith("is 6.50 (95 %: 3 to 10): **missed**");
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
