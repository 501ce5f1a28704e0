package dev.ovation.web.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class BulkheadTest {

    private final Bulkhead permits = new Bulkhead("reads", 2, Duration.ofSeconds(3));

    @Test
    void aRequestBeyondTheLimitIsRefusedAtOnce() {
        permits.take();
        permits.take();

        assertThatThrownBy(permits::take)
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> {
                            assertThat(problem.code()).isEqualTo(ProblemCode.UNAVAILABLE);
                            assertThat(problem.outcome())
                                    .isEqualTo(ProblemException.WriteStatus.REFUSED);
                        });
        assertThat(permits.taken()).isEqualTo(2);
    }

    @Test
    void aPermitGivenBackIsFreeForTheNext() {
        permits.take();
        try (var permit = permits.take()) {
            assertThat(permit).isNotNull();
        }

        assertThat(permits.taken()).isEqualTo(1);
        permits.take();
        assertThat(permits.taken()).isEqualTo(2);
    }

    @Test
    void aPermitClosedTwiceIsGivenBackOnce() {
        permits.take();
        Bulkhead.Permit permit = permits.take();
        permit.close();
        permit.close();

        assertThat(permits.taken()).isEqualTo(1);
    }
}
