package dev.ovation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReasonsTest {

    private final Reasons reasons = new Reasons();

    @Test
    void aReasonIsReportedOnceUntilTheNextSuccess() {
        assertThat(reasons.add("a")).isTrue();
        assertThat(reasons.add("a")).isFalse();

        reasons.clear();

        assertThat(reasons.add("a")).isTrue();
    }

    @Test
    void anotherReasonIsReportedAndTheFirstIsNotRepeated() {
        assertThat(reasons.add("a")).isTrue();
        assertThat(reasons.add("b")).isTrue();
        assertThat(reasons.add("a")).isFalse();
        assertThat(reasons.newest()).contains("a");
    }

    @Test
    void whileItWorksThereIsNone() {
        assertThat(reasons.newest()).isEmpty();
        reasons.add("a");
        reasons.clear();

        assertThat(reasons.newest()).isEmpty();
    }

    @Test
    void reasonsWithoutEndFillNoLog() {
        int logged = 0;
        for (int i = 0; i < 377; i++) {
            logged += reasons.add("reason " + i) ? 1 : 0;
        }

        assertThat(logged).isEqualTo(16);
        assertThat(reasons.newest()).contains("reason 376");
    }
}
