package dev.ovation.outbox;

import dev.ovation.hot.Fences;
import dev.ovation.hot.RedisUnavailableException;
import dev.ovation.outbox.cursor.Cursors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Drains the outboxes into Postgres, whoever filled them. Its threads are platform threads, so that
 * they are scheduled however many requests there are. There is no leader: the row of a partition is
 * the only lock.
 */
final class Relay implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final int SMALLEST_COUNT = 16;

    private final Pass pass;
    private final Due due;
    private final Suspects suspects = new Suspects();
    private final Failures failures;
    private final Cursors cursors;
    private final Fences fences;
    private final Outboxes outboxes;
    private final OutboxSettings settings;
    private final List<Thread> threads = new ArrayList<>();

    private volatile State state = State.STOPPED;
    private volatile int limit;

    Relay(
            Pass pass,
            Due due,
            Failures failures,
            Cursors cursors,
            Fences fences,
            Outboxes outboxes,
            OutboxSettings settings) {
        this.pass = pass;
        this.due = due;
        this.failures = failures;
        this.cursors = cursors;
        this.fences = fences;
        this.outboxes = outboxes;
        this.settings = settings;
        this.limit = settings.batch();
    }

    /** What a relay does. */
    private enum State {
        STOPPED,
        RUNNING,
        STOPPING
    }

    /** Asks for a look at a partition, soon. */
    void due(int p) {
        if (!suspects.contains(p)) {
            due.add(p);
        }
    }

    /** Asks for a look at all partitions: news may have been missed. */
    void allDue() {
        for (int p = 0; p < fences.partitions(); p++) {
            due(p);
        }
    }

    /** Returns whether events of a partition do not get through, so that no new ones are made. */
    boolean isStuck(int p) {
        return isFailing()
                || pass.stopped().contains(p)
                || suspects.isGuilty(p)
                || cursors.oldestWait(p).compareTo(settings.stuckAfter()) > 0;
    }

    /** Returns the partitions that cannot be written although Postgres works. */
    Set<Integer> failing() {
        return suspects.guilty();
    }

    /** Returns whether passes fail, whatever the partition. */
    boolean isFailing() {
        return failures.areTooMany();
    }

    /**
     * Takes in that Postgres answers; only while nothing is left to do does that end a stuck state.
     */
    void postgresAnswers() {
        if (failures.any() && due.isEmpty() && cursors.waiting() == 0) {
            failures.forget();
        }
    }

    @Override
    public synchronized void start() {
        state = State.RUNNING;
        threads.add(Thread.ofPlatform().name("relay-clock").start(this::clock));
        for (int i = 1; i <= settings.threads(); i++) {
            threads.add(Thread.ofPlatform().name("relay-" + i).start(this::work));
        }
        threads.add(Thread.ofPlatform().name("relay-suspects").start(this::workOnSuspects));
    }

    /**
     * Finishes what is waited for, within a bound, and stops. The web server has stopped before.
     */
    @Override
    public synchronized void stop() {
        if (state != State.RUNNING) {
            return;
        }
        state = State.STOPPING;
        long end = System.nanoTime() + settings.stop().toNanos();
        allDue();
        while (System.nanoTime() < end && (!due.isEmpty() || cursors.waiting() > 0)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        state = State.STOPPED;
        for (Thread thread : threads) {
            try {
                thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        threads.clear();
    }

    @Override
    public boolean isRunning() {
        return state != State.STOPPED;
    }

    /** Stops after the web server, whose phase is higher, and before what it needs. */
    @Override
    public int getPhase() {
        return 3;
    }

    private void work() {
        while (state != State.STOPPED) {
            try {
                List<Integer> taken = due.take(100);
                if (!taken.isEmpty()) {
                    try {
                        pass(taken);
                    } finally {
                        due.release(taken);
                    }
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void pass(List<Integer> taken) throws InterruptedException {
        List<Integer> wanted = taken.stream().filter(p -> !suspects.contains(p)).toList();
        try {
            run(wanted);
        } catch (InterruptedException e) {
            throw e;
        } catch (RedisUnavailableException e) {
            LOG.debug("No pass without Redis");
        } catch (Throwable e) {
            limit = Math.max(1, limit / 2);
            if (failures.isOfAPartition(e)) {
                suspects.add(wanted);
            } else {
                wanted.forEach(due::add);
                Thread.sleep(settings.probe().toMillis());
            }
        }
    }

    private void run(List<Integer> wanted) throws Exception {
        if (wanted.isEmpty()) {
            return;
        }
        int share = Math.max(SMALLEST_COUNT, limit / wanted.size());
        // One more, because the first entry is the anchor, which is applied already.
        int count = Math.min(share, limit) + 1;
        var outcome = pass.run(wanted, count);
        outcome.more().forEach(this::due);
        if (outcome.committed()) {
            failures.forget();
            limit = Math.min(settings.batch(), limit * 2);
        }
    }

    private void workOnSuspects() {
        while (state != State.STOPPED) {
            try {
                var next = suspects.next(100);
                if (next.isPresent()) {
                    tryAlone(next.getAsInt());
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void tryAlone(int p) throws InterruptedException {
        try {
            run(List.of(p));
            suspects.acquit(p);
            due.add(p);
        } catch (InterruptedException e) {
            throw e;
        } catch (RedisUnavailableException e) {
            suspects.failed(p, false, settings.probe());
        } catch (Throwable e) {
            limit = Math.max(1, limit / 2);
            suspects.failed(p, failures.isOfAPartition(e), settings.probe());
        }
    }

    /** A pass that has it in hand may take long; who waits for that gains nothing by a look. */
    private void dueUnlessTaken(int p) {
        if (!due.isTaken(p)) {
            due(p);
        }
    }

    /** Looks after waiters without news, and now and then after all outboxes. */
    private void clock() {
        long nextSweep = System.nanoTime();
        while (state != State.STOPPED) {
            try {
                cursors.overdue(settings.patience(), this::dueUnlessTaken);
                if (System.nanoTime() >= nextSweep) {
                    nextSweep = System.nanoTime() + settings.sweep().toNanos();
                    outboxes.sweep(this::due);
                }
            } catch (Throwable e) {
                LOG.debug("No sweep: {}", e.toString());
            }
            LockSupport.parkNanos(settings.patience().toNanos());
        }
    }
}
