package dev.ovation.hot;

import dev.ovation.store.PostgresGate.BusyException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The loads of this instance: at most so many run at once, and of those that wait the one for which
 * most requests wait goes first. Every fourth turn is for the one that waits longest, so that a
 * cold entity is late, not lost. Loads are known by the token of their lease.
 *
 * <p>They run on platform threads: a virtual one that is woken waits for a processor behind all
 * requests that are under way, and would keep its place meanwhile.
 */
final class LoadQueue implements AutoCloseable {

    private static final int FAIR = 4;
    private static final Comparator<Load<?>> HEAT = Comparator.comparingInt(Load::heat);

    private final LoadSettings settings;
    private final Map<String, Load<?>> underWay = new ConcurrentHashMap<>();
    private final Set<Load<?>> waiting = new LinkedHashSet<>();
    private final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("load-", 1).factory());
    private int running;
    private int turns;

    LoadQueue(LoadSettings settings) {
        if (settings.running() < 1) {
            throw new IllegalArgumentException("ovation.loads.running must be at least 1");
        }
        this.settings = settings;
    }

    private static final class Load<T> {
        final String lease;
        final Supplier<T> work;
        final AtomicInteger requests = new AtomicInteger(1);
        final CompletableFuture<T> end = new CompletableFuture<>();

        Load(String lease, Supplier<T> work) {
            this.lease = lease;
            this.work = work;
        }

        int heat() {
            return requests.get();
        }

        void run() {
            try {
                end.complete(work.get());
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        }
    }

    /**
     * Loads when it is this load's turn. Whoever waits for it shares its end, a failure too.
     *
     * @param work is done on another thread; its failure becomes that of the caller
     * @throws BusyException when too many wait, or its turn did not come in time
     */
    <T> T load(String lease, Supplier<T> work) {
        var load = new Load<>(lease, work);
        underWay.put(lease, load);
        if (!entered(load)) {
            throw given(load, new BusyException());
        }
        try {
            return load.end.get(settings.patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (leave(load)) {
                throw given(load, new BusyException());
            }
            return end(load.end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new BusyException();
            throw leave(load) ? given(load, interrupted) : interrupted;
        } catch (ExecutionException e) {
            return end(load.end);
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
            var _ = end(load.end.copy().orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS));
            return true;
        } finally {
            load.requests.decrementAndGet();
        }
    }

    private static <T> T end(CompletableFuture<T> load) {
        try {
            return load.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error error -> throw error;
                case null, default -> throw new BusyException();
            }
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

    /** Ends the threads once their loads have ended; no more may be begun. */
    @Override
    public void close() {
        threads.shutdown();
    }

    /** Returns false when too many wait, or there is no thread for it. */
    private boolean entered(Load<?> load) {
        try {
            return enter(load);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return false;
        }
    }

    private synchronized boolean enter(Load<?> load) {
        if (running < settings.running()) {
            threads.execute(() -> runFrom(load));
            running++;
            return true;
        }
        return waiting.size() < settings.waiting() && waiting.add(load);
    }

    private void runFrom(Load<?> first) {
        for (Load<?> load = first; load != null; load = next()) {
            load.run();
            underWay.remove(load.lease);
        }
    }

    /** Returns false when its turn has come meanwhile. */
    private synchronized boolean leave(Load<?> load) {
        return waiting.remove(load);
    }

    private BusyException given(Load<?> load, BusyException up) {
        load.end.completeExceptionally(up);
        underWay.remove(load.lease);
        return up;
    }

    private synchronized @Nullable Load<?> next() {
        if (waiting.isEmpty()) {
            running--;
            return null;
        }
        boolean fair = ++turns % FAIR == 0;
        var chosen = fair ? waiting.iterator().next() : hottest();
        waiting.remove(chosen);
        return chosen;
    }

    /** Of equally hot ones the first that came. */
    private Load<?> hottest() {
        return waiting.stream().reduce((a, b) -> HEAT.compare(b, a) > 0 ? b : a).orElseThrow();
    }
}
