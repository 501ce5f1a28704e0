package dev.ovation.hot.link;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Waits for the answers of scripts. */
public final class Replies {

    private Replies() {}

    /**
     * Returns the answer once it arrives. The wait needs no bound of its own: a command without an
     * answer fails after {@code ovation.internal.hot.command-timeout}.
     *
     * @throws RedisUnavailableException when nothing was changed
     * @throws UnansweredException when it is unknown whether a change was made
     */
    public static <T> T await(CompletableFuture<T> reply) {
        try {
            return reply.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (RedisErrors.provesNothingChanged(cause)) {
                throw new RedisUnavailableException("Redis refused: " + cause.getMessage());
            }
            throw new UnansweredException(cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnansweredException(e);
        }
    }

    /**
     * Returns the answer once the future that follows it is complete as well, so that the caller is
     * woken once; or when the patience ends.
     *
     * @param next maps the answer, on the thread on which it arrived, to the future to wait for
     *     next; this future is cancelled when the patience ends
     * @throws RedisUnavailableException when nothing was changed
     * @throws UnansweredException when it is unknown whether a change was made
     */
    public static <T> T await(
            CompletableFuture<T> reply, Function<T, CompletableFuture<?>> next, Duration patience) {
        var both = new CompletableFuture<T>();
        var _ =
                reply.whenComplete(
                        (answer, error) -> {
                            if (error != null) {
                                both.completeExceptionally(error);
                            } else {
                                follow(both, answer, next);
                            }
                        });
        try {
            return both.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            both.cancel(false);
            return await(reply);
        } catch (InterruptedException e) {
            both.cancel(false);
            Thread.currentThread().interrupt();
            throw new UnansweredException(e);
        }
    }

    private static <T> void follow(
            CompletableFuture<T> both, T answer, Function<T, CompletableFuture<?>> next) {
        try {
            var awaited = next.apply(answer);
            var _ = awaited.whenComplete((_, _) -> both.complete(answer));
            var _ = both.whenComplete((_, _) -> awaited.cancel(false));
        } catch (RuntimeException e) {
            both.complete(answer);
        }
    }
}
