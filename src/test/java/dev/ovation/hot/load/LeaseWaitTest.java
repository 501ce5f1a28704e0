package dev.ovation.hot.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class LeaseWaitTest {

    private final LeaseWait attempt = new LeaseWait(Duration.ofHours(1), Duration.ofHours(1));

    @Test
    void eachLoadHasALeaseOfItsOwn() {
        String first = attempt.token();
        assertThat(attempt.holds(first)).isTrue();
        assertThat(attempt.again()).isTrue();
        assertThat(attempt.token()).isNotEqualTo(first);
    }

    @Test
    void aLeaseThatWasUsedAndStillNamesThisAttemptIsTakenFromItself() {
        String first = attempt.token();
        assertThat(attempt.holds(first)).isTrue();
        attempt.again();
        assertThat(attempt.stale()).isEqualTo(first);
    }

    @Test
    void aWaitForAnotherHolderKeepsItsToken() {
        String first = attempt.token();
        assertThat(attempt.holds("another")).isFalse();
        assertThat(attempt.again()).isTrue();
        assertThat(attempt.token()).isEqualTo(first);
        assertThat(attempt.stale()).isEmpty();
    }
}
