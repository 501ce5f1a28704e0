package dev.ovation.transfer.merge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class AdaptiveBatchSizeTest {

    private static final Duration WANTED = Duration.ofMillis(250);

    private final AdaptiveBatchSize size = new AdaptiveBatchSize(50_000, WANTED);

    private void took(int rows, int millis) {
        size.took(rows, Duration.ofMillis(millis).toNanos());
    }

    @Test
    void theBatchSizeAimsAtTheWantedTime() {
        took(5_000, 200);
        assertThat(size.rows()).isEqualTo(6_250);

        took(6_250, 312);
        assertThat(size.rows()).isEqualTo(5_008);
    }

    @Test
    void changesByHalfOrTwiceAtMost() {
        took(5_000, 1);
        assertThat(size.rows()).isEqualTo(10_000);

        took(10_000, 60_000);
        assertThat(size.rows()).isEqualTo(5_000);
    }

    @Test
    void doesNotGrowByTooFewRowsButShrinks() {
        took(3, 1);
        assertThat(size.rows()).isEqualTo(5_000);
        took(3, 249);
        assertThat(size.rows()).isEqualTo(5_000);

        took(3, 251);
        assertThat(size.rows()).isEqualTo(2_500);
    }

    @Test
    void isHalfAfterAFailureDownToAHundred() {
        size.failed();
        assertThat(size.rows()).isEqualTo(2_500);
        for (int i = 0; i < 10; i++) {
            size.failed();
        }
        assertThat(size.rows()).isEqualTo(100);
    }

    @Test
    void isNeverMoreThanTheLargest() {
        for (int i = 0; i < 10; i++) {
            took(size.rows(), 1);
        }
        assertThat(size.rows()).isEqualTo(50_000);
    }

    @Test
    void mayBeFixedBelowAHundred() {
        var twenty = new AdaptiveBatchSize(20, Duration.ZERO);
        assertThat(twenty.rows()).isEqualTo(20);
        twenty.took(20, 0);
        twenty.took(20, 1);
        twenty.failed();
        assertThat(twenty.rows()).isEqualTo(20);
    }
}
