package dev.ovation.reaction.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.ProblemException.WriteStatus;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.stream.IntStream;

class RetryBudgetTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final RetryBudget budget = new RetryBudget(HOUR);

    @Test
    void lastsUntilItsDeadline() {
        assertThat(budget.isSpent()).isFalse();
        assertThat(budget.remaining()).isPositive().isLessThanOrEqualTo(HOUR);
    }

    @Test
    void nothingRemainsAfterTheDeadline() {
        for (Duration time : new Duration[] {Duration.ZERO, HOUR.negated()}) {
            var late = new RetryBudget(time);
            assertThat(late.isSpent()).isTrue();
            assertThat(late.remaining()).isZero();
        }
    }

    @Test
    void allowsTenConflicts() {
        assertThatCode(
                        () -> {
                            for (int i = 0; i < 10; i++) {
                                budget.conflict();
                            }
                        })
                .doesNotThrowAnyException();
    }

    @Test
    void theEleventhConflictEndsTheWriteWhichChangedNothing() {
        for (int i = 0; i < 10; i++) {
            budget.conflict();
        }

        assertRefused(budget);
    }

    @Test
    void aConflictAfterTheDeadlineEndsTheWriteWhichChangedNothing() {
        assertRefused(new RetryBudget(Duration.ZERO));
    }

    private static void assertRefused(RetryBudget budget) {
        assertThat(catchThrowableOfType(ProblemException.class, budget::conflict))
                .extracting(ProblemException::code, ProblemException::outcome)
                .containsExactly(ProblemCode.UNAVAILABLE, WriteStatus.REFUSED);
    }

    @Test
    void waitsForAnAcknowledgementGrowUpTo80Milliseconds() {
        assertThat(IntStream.range(0, 7).mapToLong(RetryBudget::acknowledgementMillis))
                .containsExactly(20L, 40L, 80L, 80L, 80L, 80L, 80L);
        assertThat(RetryBudget.acknowledgementMillis(Integer.MAX_VALUE)).isEqualTo(80);
    }

    @Test
    void anInterruptedThreadDoesNotPauseAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        RetryBudget.pause(HOUR.toMillis());

        assertThat(Thread.interrupted()).isTrue();
    }
}
