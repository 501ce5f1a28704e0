package dev.ovation.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

class UptakeTest {

    private final FakeObserver<String> out = new FakeObserver<>();

    @Test
    void anAnswerWaitsUntilTheClientTakesIt() {
        var uptake = new Uptake(out, Duration.ofHours(1));
        var waits = CompletableFuture.runAsync(uptake::await);

        uptake.changed(); // it looks again, and waits on
        assertThat(waits).isNotDone();
        out.ready = true;
        uptake.changed();
        waits.join();
    }

    @Test
    void aCallThatItsClientHasLeftEnds() {
        out.cancelled = true;

        assertThatThrownBy(new Uptake(out, Duration.ofHours(1))::await)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.CANCELLED));
    }

    @Test
    void aClientThatTakesNothingEndsItsCall() {
        assertThatThrownBy(new Uptake(out, Duration.ofMillis(1))::await)
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.code()).isEqualTo(ProblemCode.UNAVAILABLE));
    }

    @Test
    void aClientThatTakesAnswersHasNotStopped() {
        var uptake = new Uptake(out, Duration.ZERO);

        assertThat(uptake.hasStopped()).isTrue();
        out.ready = true;
        assertThat(uptake.hasStopped()).isFalse();
    }
}
