package dev.ovation.hot.link;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for answers of several servers. A server that fails or hangs costs only its own answer. */
public final class ServerAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(ServerAnswers.class);

    /** Time that the others have after the first answer. */
    private static final long GRACE_MILLIS = 50;

    private ServerAnswers() {}

    /**
     * Returns the answers that arrive in time.
     *
     * @param servers the future answer of each server
     * @param timeoutMillis how long the first answer may take
     * @throws Exception the failure of a server, when none answers
     */
    public static <T> List<T> await(Collection<CompletableFuture<T>> servers, long timeoutMillis)
            throws Exception {
        long left = servers.size() > 1 ? awaitFirst(servers, timeoutMillis) : timeoutMillis;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(left);
        var answers = new ArrayList<T>(servers.size());
        Exception failure = null;
        for (CompletableFuture<T> server : servers) {
            try {
                answers.add(server.get(end - System.nanoTime(), TimeUnit.NANOSECONDS));
            } catch (ExecutionException | TimeoutException e) {
                failure = e;
            }
        }
        if (failure != null && answers.isEmpty()) {
            throw failure.getCause() instanceof RedisUnavailableException down ? down : failure;
        }
        if (failure != null) {
            LOG.debug("A Redis server does not answer like the others: {}", failure.toString());
        }
        return answers;
    }

    /** Returns the milliseconds to wait for the others. */
    private static <T> long awaitFirst(Collection<CompletableFuture<T>> servers, long timeoutMillis)
            throws InterruptedException, ExecutionException {
        var first = new CompletableFuture<@Nullable Void>();
        var all = servers.toArray(CompletableFuture<?>[]::new);
        for (CompletableFuture<?> server : all) {
            var _ = server.thenRun(() -> first.complete(null));
        }
        var _ = CompletableFuture.allOf(all).whenComplete((_, _) -> first.complete(null));
        try {
            first.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return 0;
        }
        return GRACE_MILLIS;
    }
}
