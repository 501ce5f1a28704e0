package dev.ovation.hot.link;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for answers of several servers. A server that fails or hangs costs only its own answer.
 *
 * @param <S> a server
 */
public final class ServerAnswers<S> {

    private static final Logger LOG = LoggerFactory.getLogger(ServerAnswers.class);

    /** Time that the others have after the first answer. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long timeoutNanos;

    /** Servers whose last answer came too late, and which have the whole time-out now. */
    private final Set<S> slow = ConcurrentHashMap.newKeySet();

    /**
     * Creates the waits of one caller.
     *
     * @param timeoutMillis how long the first answer may take
     */
    public ServerAnswers(long timeoutMillis) {
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /**
     * Returns the answers that arrive in time. A server whose answer comes too late has more time
     * at the next call, so that it is not left out each time. A server that never answers has not.
     *
     * @param servers the future answer of each server
     * @throws Exception the failure of a server, when none answers
     */
    public <T> List<T> await(Map<S, CompletableFuture<T>> servers) throws Exception {
        boolean alone = servers.size() == 1;
        boolean isAnyAnswered = alone || awaitFirst(servers.values());
        long from = System.nanoTime();
        var answers = new ArrayList<T>(servers.size());
        Exception failure = null;
        for (Map.Entry<S, CompletableFuture<T>> one : servers.entrySet()) {
            S server = one.getKey();
            var answer = one.getValue();
            boolean isPatient = alone || (slow.contains(server) && !answer.isDone());
            long most = isPatient ? timeoutNanos : isAnyAnswered ? GRACE_NANOS : 0;
            if (!isPatient) {
                slow.remove(server);
            }
            try {
                answers.add(answer.get(from + most - System.nanoTime(), TimeUnit.NANOSECONDS));
            } catch (ExecutionException e) {
                failure = e;
                slow.remove(server);
            } catch (TimeoutException e) {
                failure = e;
                slow.remove(server);
                var _ = answer.thenRun(() -> slow.add(server));
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

    /** Returns whether a server has answered before the time-out, or all have failed. */
    private <T> boolean awaitFirst(Collection<CompletableFuture<T>> servers)
            throws InterruptedException, ExecutionException {
        var first = new CompletableFuture<@Nullable Void>();
        var all = servers.toArray(CompletableFuture<?>[]::new);
        for (CompletableFuture<?> server : all) {
            var _ = server.thenRun(() -> first.complete(null));
        }
        var _ = CompletableFuture.allOf(all).whenComplete((_, _) -> first.complete(null));
        try {
            first.get(timeoutNanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /**
     * Completes with the answers of one server, once all have arrived. It leaves those out that the
     * server refuses because it does not serve the slot, and fails when all of them are.
     *
     * @param answers those of single partitions
     */
    public static <T> CompletableFuture<List<T>> served(List<CompletableFuture<T>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .handle((_, _) -> servedOnes(answers));
    }

    private static <T> List<T> servedOnes(List<CompletableFuture<T>> answers) {
        var served = new ArrayList<T>(answers.size());
        Optional<CompletionException> refusal = Optional.empty();
        for (CompletableFuture<T> answer : answers) {
            try {
                served.add(answer.join());
            } catch (CompletionException e) {
                if (!RedisErrors.isOfASlot(e.getCause())) {
                    throw e;
                }
                refusal = Optional.of(e);
            }
        }
        if (served.isEmpty() && refusal.isPresent()) {
            throw refusal.get();
        }
        return served;
    }
}
