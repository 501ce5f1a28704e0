package dev.ovation.hot.load;

import dev.ovation.entity.Bound;
import dev.ovation.store.postgres.PostgresBulkhead.BusyException;

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
 * The loads of this instance. While one statement reads, arriving loads wait for the next
 * statement, which reads at most {@link LoadSettings#batchSize} of them. It takes the loads with
 * the most waiting requests first. Every fourth turn it takes the load that waits longest, so that
 * a cold entity is late but not lost. At most {@link LoadSettings#maxConcurrent} statements run at
 * the same time. A further one starts for a load that has waited for the linger time, or when the
 * next statement is full. The token of its lease identifies a load.
 *
 * <p>The loads run on platform threads. A woken virtual thread waits for a processor behind all
 * running requests and would keep its place meanwhile.
 *
 * @param <Q> a question
 * @param <A> its answer
 */
public final class LoadQueue<Q, A> implements AutoCloseable {

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
     * Creates a queue.
     *
     * @param read answers questions, in their order; called by several threads
     */
    public LoadQueue(LoadSettings settings, Function<List<Q>, List<A>> read) {
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
     * Loads when it is this load's turn. All waiters of the load share its result or failure. A
     * statement that fails makes all its loads fail.
     *
     * @param question read together with others
     * @param install receives the answer on another thread; its failure becomes that of the caller
     * @throws BusyException when the queue is full, or the turn did not come in time
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
     * Waits for the end of the load under a lease; each waiter adds 1 to the heat of the load.
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

    /** Returns the number of requests that wait for loads, or load. */
    public int requests() {
        return underWay.values().stream().mapToInt(Load::heat).sum();
    }

    public synchronized int running() {
        return running;
    }

    public synchronized int waiting() {
        return waiting.size();
    }

    /**
     * Returns the number of requests that wait for a load, its own included; 0 when it does not
     * run.
     */
    int heat(String lease) {
        var load = underWay.get(lease);
        return load == null ? 0 : load.heat();
    }

    /** Ends the threads once their loads have ended; no further load may start. */
    @Override
    public void close() {
        threads.shutdown();
    }

    /** Returns false when the queue is full, or no thread is available. */
    private synchronized boolean enter(Load<Q, A> load) {
        int enough = Math.min(settings.batchSize(), settings.queueCapacity());
        boolean full = waiting.size() >= enough;
        boolean free = running == 0 || (full && running < settings.maxConcurrent());
        return free ? begin(load) : waiting.size() < settings.queueCapacity() && waiting.add(load);
    }

    private A waitFor(Load<Q, A> load)
            throws ExecutionException, InterruptedException, TimeoutException {
        try {
            return load.end.get(settings.linger().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            beginBeside(load);
            Duration left = settings.maxWait().minus(settings.linger());
            return load.end.get(left.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private synchronized void beginBeside(Load<Q, A> load) {
        if (running < settings.maxConcurrent() && waiting.contains(load) && begin(load)) {
            waiting.remove(load);
        }
    }

    /** Returns false when no thread is available. */
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
        while (chosen.size() < settings.batchSize() && !waiting.isEmpty()) {
            boolean fair = ++turns % FAIR == 0;
            var load = fair ? waiting.iterator().next() : hottest();
            waiting.remove(load);
            chosen.add(load);
        }
        return chosen;
    }

    /** Of equally hot loads, returns the first that arrived. */
    private Load<Q, A> hottest() {
        return waiting.stream().reduce((a, b) -> b.heat() > a.heat() ? b : a).orElseThrow();
    }
}
