package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Bound;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;
import dev.ovation.web.RawHttp;
import dev.ovation.web.problem.ProblemCode;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Locale;

/** {@code ovation_problems_total} counts each problem of a client once. */
class ProblemMetricsApiTest extends ApiFixture {

    private static final String NAME = "ovation_problems_total";
    private static final int TIMES = 7;

    /** Problems that {@link #assertLaterProblemIsCounted} adds. */
    private static final int LATER = 1;

    @Test
    void eachProblemOfAHotRequestIsCountedOnce() {
        given("letters", "ann", "a");
        assertCounted(
                "reaction-already-exists",
                TIMES,
                () -> assertRefused(add("letters", "ann", "a"), 403, "reaction-already-exists"));
    }

    @Test
    void eachProblemOfTheOrdinaryWayIsCountedOnce() {
        assertCounted(
                "method-not-allowed",
                TIMES,
                () ->
                        assertRefused(
                                service.send("DELETE", "/ping", null), 405, "method-not-allowed"));
    }

    @Test
    void eachProblemOfTheContainerIsCountedOnce() {
        assertCounted(
                "uri-too-long",
                TIMES,
                () -> RawHttp.get(service.port(), "/ping?" + "x".repeat(20_000)));
    }

    @Test
    void theAnswerToHeadIsCountedOnceToo() {
        assertCounted(
                "not-found",
                TIMES,
                () -> RawHttp.send(service.port(), RawHttp.head("HEAD", "/nothing-here"), ""));
    }

    @Test
    void eachProblemWithinABatchIsCountedOnceAndTheBatchItselfIsNone() {
        given("letters", "ann", "a");
        assertLaterProblemIsCounted();
        double all = Metrics.of(service).value(NAME);
        String body =
                Instance.batch(
                        List.of(
                                Instance.operation("add", "letters", entity, "ann", "b"),
                                Instance.operation("add", "letters", entity, "ben", "a"),
                                Instance.operation("add", "letters", entity, "ann", "b"),
                                Instance.operation("add", "letters", entity, "ann", "z")));
        double unknown = value("unknown-reaction");

        assertCounted(
                "conflicting-reaction",
                2,
                () ->
                        assertThat(
                                        Instance.outcomes(
                                                service.send("POST", "/reactions/batch", body)))
                                .containsExactly("refused", "applied", "refused", "refused"),
                1);
        assertThat(value("unknown-reaction")).isEqualTo(unknown + 1);
        assertThat(Metrics.of(service).value(NAME)).isEqualTo(all + 3 + 2 * LATER);
    }

    @Test
    void problemsOfTheContestWithStatus200AreCounted() {
        String like = "/pcc?action=like&uid=7&oid=" + Math.abs(entity.hashCode());
        assertThat(service.get(like).json().has("error_code")).isFalse();

        assertCounted(
                "reaction-already-exists",
                TIMES,
                () ->
                        assertThat(service.get(like).json().get("error_code").intValue())
                                .isEqualTo(501));
    }

    @Test
    void everyKindIsShownFromTheBeginningWithADescription() {
        String text = Metrics.of(other).text();

        assertThat(text).containsPattern("# HELP " + NAME + " \\S+");
        for (ProblemCode code : ProblemCode.values()) {
            assertThat(text).contains(NAME + "{cause=\"none\",code=\"%s\"}".formatted(code.code()));
        }
        for (Bound bound : Bound.values()) {
            String cause = bound.name().toLowerCase(Locale.ROOT);
            assertThat(text)
                    .contains(NAME + "{cause=\"%s\",code=\"unavailable\"}".formatted(cause));
        }
    }

    private void assertCounted(String code, int times, Runnable problem) {
        assertCounted(code, times, problem, times);
    }

    /**
     * Asserts the exact number: between two other problems that are counted, the count grows so
     * far.
     */
    private void assertCounted(String code, int grows, Runnable problem, int times) {
        assertLaterProblemIsCounted();
        double before = value(code);
        for (int i = 0; i < times; i++) {
            problem.run();
        }
        Wait.until(code + " is counted", () -> value(code) >= before + grows);
        assertLaterProblemIsCounted();

        assertThat(value(code)).isEqualTo(before + grows);
    }

    /** A problem is counted after its answer: all earlier ones are counted now. */
    private void assertLaterProblemIsCounted() {
        double later = value("unknown-namespace");
        assertProblem(
                service.get("/reactions?entity_id=1&namespace_id=unknown"),
                404,
                "unknown-namespace");
        Wait.until("the later problem is counted", () -> value("unknown-namespace") > later);
    }

    private double value(String code) {
        return Metrics.of(service).value(NAME, "code=\"" + code + "\"");
    }
}
