package dev.ovation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

class PaceTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MANY = 77;

    private final Pace pace = new Pace();

    @Test
    void whatComesAloneNeverWaits() {
        pace.begun(0);
        pace.ended(1, 3 * MILLI);
        assertThat(pace.left(3 * MILLI)).isNotPositive();
    }

    @Test
    void underLoadThePassAfterOneBeginsWhenAsLongAgainHasGone() {
        pace.begun(0);
        pace.ended(MANY, 3 * MILLI);
        assertThat(pace.left(4 * MILLI)).isEqualTo(2 * MILLI);
        assertThat(pace.left(6 * MILLI)).isNotPositive();
    }

    @Test
    void aPassThatTakesLongHoldsUpTheOtherThreadForABoundOnly() {
        pace.ended(MANY, 3_000 * MILLI);
        pace.begun(0);
        assertThat(pace.left(MILLI)).isPositive();
        assertThat(pace.left(20 * MILLI)).isNotPositive();
    }

    @Test
    void itEndsWithTheLoad() {
        pace.begun(0);
        pace.ended(MANY, 3 * MILLI);
        pace.ended(1, 3 * MILLI);
        assertThat(pace.left(3 * MILLI)).isNotPositive();
    }
}
