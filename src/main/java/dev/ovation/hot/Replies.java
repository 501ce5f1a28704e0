package dev.ovation.hot;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for the answers of scripts. */
final class Replies {

    private Replies() {}

    /**
     * Returns the answer once it is there. It needs no bound of its own: a command fails by itself
     * when it has no answer within {@code ovation.hot.command-timeout}.
     *
     * @throws RedisUnavailableException when nothing was changed
     * @throws UnansweredException when it is not known what was changed
     */
    static <T> T await(CompletableFuture<T> reply) {
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
}
