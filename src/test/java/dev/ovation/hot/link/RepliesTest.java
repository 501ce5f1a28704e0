package dev.ovation.hot.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ovation.testing.Wait;

import io.lettuce.core.RedisCommandTimeoutException;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

class RepliesTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final CompletableFuture<String> reply = new CompletableFuture<>();
    private final CompletableFuture<String> next = new CompletableFuture<>();
    private final AtomicReference<String> asked = new AtomicReference<>();

    private CompletableFuture<?> next(String answer) {
        asked.set(answer);
        return next;
    }

    @Test
    void theWaiterIsWokenOnceBothFuturesAreComplete() throws InterruptedException {
        var received = new AtomicReference<String>();
        var waiter =
                Thread.ofVirtual()
                        .start(() -> received.set(Replies.await(reply, this::next, LONG)));

        Wait.until("it waits", () -> reply.getNumberOfDependents() > 0);
        reply.complete("answer");
        assertThat(asked.get()).isEqualTo("answer");
        assertThat(received.get()).isNull();
        assertThat(next.complete("verdict")).as("it still waits").isTrue();
        waiter.join();

        assertThat(received.get()).isEqualTo("answer");
    }

    @Test
    void completedFuturesAreNotWaitedFor() {
        reply.complete("answer");
        next.complete("verdict");

        assertThat(Replies.await(reply, this::next, Duration.ZERO)).isEqualTo("answer");
    }

    @Test
    void afterTheTimeOutTheAnswerIsReturnedAndTheRestCancelled() {
        reply.complete("answer");

        assertThat(Replies.await(reply, this::next, Duration.ofMillis(1))).isEqualTo("answer");
        assertThat(next).isCancelled();
    }

    @Test
    void theAnswerIsAwaitedBeyondTheTimeOut() {
        var received =
                CompletableFuture.supplyAsync(
                        () -> Replies.await(reply, this::next, Duration.ZERO));
        reply.complete("answer");

        assertThat(received.join()).isEqualTo("answer");
        assertThat(next).isCancelled();
    }

    @Test
    void withoutAnAnswerNothingFollows() {
        reply.completeExceptionally(new RedisCommandTimeoutException("late"));

        assertThatExceptionOfType(UnansweredException.class)
                .isThrownBy(() -> Replies.await(reply, this::next, LONG));
        assertThat(asked.get()).isNull();
    }

    @Test
    void theAnswerIsReturnedIfTheNextFutureCannotBeCreated() {
        reply.complete("answer");

        assertThat(
                        Replies.await(
                                reply,
                                _ -> {
                                    throw new IllegalStateException("by the test");
                                },
                                LONG))
                .isEqualTo("answer");
    }
}
