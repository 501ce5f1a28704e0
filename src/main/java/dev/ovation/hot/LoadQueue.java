package dev.ovation.hot;

import dev.ovation.store.PostgresGate.BusyException;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The loads of this instance: at most so many run at once, and of those that wait the one for which
 * most requests wait goes first. Every fourth turn is for the one that waits longest, so that a
 * cold entity is late, not lost. Loads are known by the token of their lease.
 */
final class LoadQueue {

    private static final int FAIR = 4;
    private static final Comparator<Load> HEAT = Comparator.comparingInt(Load::heat);

    private final LoadSettings settings;
    private final Map<String, Load> underWay = new ConcurrentHashMap<>();
    private final Set<Load> waiting = new LinkedHashSet<>();
    private int running;
    private int turns;

    LoadQueue(LoadSettings settings) {
        if (settings.running() < 1) {
            throw new IllegalArgumentException("ovation.loads.running must be at least 1");
        }
        this.settings = settings;
    }

    private static final class Load {
        final AtomicInteger requests = new AtomicInteger(1);
        final CompletableFuture<Void> turn = new CompletableFuture<>();
        final CompletableFuture<Void> end = new CompletableFuture<>();

        int heat() {
            return requests.get();
        }
    }

    /**
     * Loads when it is this load's turn. Whoever waits for it shares its end, a failure too.
     *
     * @throws BusyException when too many wait, or its turn did not come in time
     */
    <T> T load(String lease, Supplier<T> work) {
        var load = new Load();
        underWay.put(lease, load);
        try {
            T result = inTurn(load, work);
            load.end.complete(null);
            return result;
        } catch (Throwable e) {
            load.end.completeExceptionally(e);
            throw e;
        } finally {
            underWay.remove(lease);
        }
    }

    /**
     * Waits for the end of the load under a lease; each who waits makes its entity hotter.
     *
     * @return false, at once, when no load of this instance has that lease
     * @throws BusyException when it did not end in time
     */
    boolean await(String lease, Duration patience) {
        var load = underWay.get(lease);
        if (load == null) {
            return false;
        }
        load.requests.incrementAndGet();
        try {
            load.end.copy().orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS).join();
            return true;
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new BusyException();
        } finally {
            load.requests.decrementAndGet();
        }
    }

    /** How many requests wait for loads, or load. */
    int requests() {
        return underWay.values().stream().mapToInt(Load::heat).sum();
    }

    synchronized int running() {
        return running;
    }

    synchronized int waiting() {
        return waiting.size();
    }

    /** How many requests wait for a load, its own included; 0 when it is not under way. */
    int heat(String lease) {
        var load = underWay.get(lease);
        return load == null ? 0 : load.heat();
    }

    private <T> T inTurn(Load load, Supplier<T> work) {
        enter(load);
        awaitTurn(load);
        try {
            return work.get();
        } finally {
            next();
        }
    }

    private synchronized void enter(Load load) {
        if (running < settings.running()) {
            running++;
            load.turn.complete(null);
        } else if (waiting.size() < settings.waiting()) {
            waiting.add(load);
        } else {
            throw new BusyException();
        }
    }

    private void awaitTurn(Load load) {
        try {
            load.turn.get(settings.patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (leave(load)) {
                throw new BusyException();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (!leave(load)) {
                next();
            }
            throw new BusyException();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns false when its turn has come meanwhile. */
    private synchronized boolean leave(Load load) {
        return waiting.remove(load);
    }

    private synchronized void next() {
        running--;
        if (!waiting.isEmpty()) {
            boolean fair = ++turns % FAIR == 0;
            var chosen = fair ? waiting.iterator().next() : hottest();
            waiting.remove(chosen);
            running++;
            chosen.turn.complete(null);
        }
    }

    /** Of equally hot ones the first that came. */
    private Load hottest() {
        return waiting.stream().reduce((a, b) -> HEAT.compare(b, a) > 0 ? b : a).orElseThrow();
    }
}
