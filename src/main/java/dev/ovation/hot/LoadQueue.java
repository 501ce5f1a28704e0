package dev.ovation.hot;

import dev.ovation.entity.Bound;
import dev.ovation.store.PostgresGate.BusyException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The loads of this instance. While one statement reads, what comes waits for the next, which reads
 * up to so many together: first those for which most requests wait, every fourth turn the one that
 * waits longest, so that a cold entity is late, not lost. A statement beside those that run begins,
 * up to so many, with whoever has waited a while, or comes when the next is full. Loads are known
 * by the token of their lease.
 *
 * <p>They run on platform threads: a virtual one that is woken waits for a processor behind all
 * requests that are under way, and would keep its place meanwhile.
 *
 * @param <Q> what is asked for
 * @param <A> what is found
 */
final class LoadQueue<Q, A> implements AutoCloseable {

    private static final int FAIR = 4;

    private final LoadSettings settings;
    private final Function<List<Q>, List<A>> read;
    private final Map<String, Load<Q, A>> underWay = new ConcurrentHashMap<>();
    private final Set<Load<Q, A>> waiting = new LinkedHashSet<>();
    private final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("load-", 1).factory());
    private int running;
    private int turns;

    /**
     * Makes a queue.
     *
     * @param read answers questions, in their order; called by several threads
     */
    LoadQueue(LoadSettings settings, Function<List<Q>, List<A>> read) {
        this.settings = settings;
        this.read = read;
    }

    private static final class Load<Q, A> {
        final String lease;
        final Q question;
        final Consumer<A> install;
        final AtomicInteger requests = new AtomicInteger(1);
        final CompletableFuture<A> end = new CompletableFuture<>();

        Load(String lease, Q question, Consumer<A> install) {
            this.lease = lease;
            this.question = question;
            this.install = install;
        }

        int heat() {
            return requests.get();
        }

        void finish(A answer) {
            try {
                install.accept(answer);
                end.complete(answer);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        }
    }

    /**
     * Loads when it is this load's turn. Whoever waits for it shares its end, a failure too; what
     * cannot be read is the failure of all that were to be read with it.
     *
     * @param question is read, together with others
     * @param install is done with what was read, on another thread; its failure becomes that of the
     *     caller
     * @throws BusyException when too many wait, or its turn did not come in time
     */
    A load(String lease, Q question, Consumer<A> install) {
        var load = new Load<Q, A>(lease, question, install);
        underWay.put(lease, load);
        if (!enter(load)) {
            throw given(load, new BusyException(Bound.LOADS));
        }
        try {
            return waitFor(load);
        } catch (TimeoutException e) {
            if (leave(load)) {
                throw given(load, new BusyException(Bound.LOADS));
            }
            return end(load.end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new BusyException(Bound.LOADS);
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
                case null, default -> throw new BusyException(Bound.LOADS);
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
    private synchronized boolean enter(Load<Q, A> load) {
        int enough = Math.min(settings.together(), settings.waiting());
        boolean full = waiting.size() >= enough;
        boolean free = running == 0 || (full && running < settings.running());
        return free ? begin(load) : waiting.size() < settings.waiting() && waiting.add(load);
    }

    private A waitFor(Load<Q, A> load)
            throws ExecutionException, InterruptedException, TimeoutException {
        try {
            return load.end.get(settings.linger().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            beginBeside(load);
            Duration left = settings.patience().minus(settings.linger());
            return load.end.get(left.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private synchronized void beginBeside(Load<Q, A> load) {
        if (running < settings.running() && waiting.contains(load) && begin(load)) {
            waiting.remove(load);
        }
    }

    /** Returns false when there is no thread for it. */
    private boolean begin(Load<Q, A> first) {
        try {
            threads.execute(() -> runFrom(List.of(first)));
            running++;
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return false;
        }
    }

    private void runFrom(List<Load<Q, A>> first) {
        for (List<Load<Q, A>> loads = first; !loads.isEmpty(); loads = next()) {
            run(loads);
        }
    }

    private void run(List<Load<Q, A>> loads) {
        try {
            var answers = read.apply(loads.stream().map(load -> load.question).toList()).iterator();
            for (Load<Q, A> load : loads) {
                load.finish(answers.next());
                underWay.remove(load.lease);
            }
        } catch (Throwable e) {
            loads.forEach(load -> given(load, e));
        }
    }

    /** Returns false when its turn has come meanwhile. */
    private synchronized boolean leave(Load<Q, A> load) {
        return waiting.remove(load);
    }

    private <E extends Throwable> E given(Load<Q, A> load, E up) {
        load.end.completeExceptionally(up);
        underWay.remove(load.lease);
        return up;
    }

    private synchronized List<Load<Q, A>> next() {
        if (waiting.isEmpty()) {
            running--;
            return List.of();
        }
        List<Load<Q, A>> chosen = new ArrayList<>();
        while (chosen.size() < settings.together() && !waiting.isEmpty()) {
            boolean fair = ++turns % FAIR == 0;
            var load = fair ? waiting.iterator().next() : hottest();
            waiting.remove(load);
            chosen.add(load);
        }
        return chosen;
    }

    /** Of equally hot ones the first that came. */
    private Load<Q, A> hottest() {
        return waiting.stream().reduce((a, b) -> b.heat() > a.heat() ? b : a).orElseThrow();
    }
}
