package dev.ovation.outbox.relay;

import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.watermark.Watermarks;
import dev.ovation.start.StartPhase;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Applies the outboxes to Postgres, also the events of other instances. Its threads are platform
 * threads, so that the number of requests does not delay their scheduling. There is no leader: the
 * row of a partition is the only lock.
 */
public final class Relay implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final int SMALLEST_COUNT = 16;

    /**
     * Shards that are served at the same time; each takes a connection to Postgres. The docs demand
     * as many connections.
     */
    private static final int MOST_SHARDS = 6;

    /** Time without a watermark update after which a waiter makes its partition due. */
    private static final Duration POLL_AFTER = Duration.ofMillis(5);

    /** Interval between looks for such waiters while there is none. */
    private static final Duration IDLE_POLL = Duration.ofMillis(25);

    /** Interval between reads of all outboxes. */
    private static final Duration SWEEP = Duration.ofMillis(250);

    /** Interval between the tries of a stuck relay. */
    private static final Duration PROBE = Duration.ofMillis(500);

    /** Time to finish at shutdown. */
    private static final Duration STOP = Duration.ofSeconds(10);

    private final RelayCycle cycle;
    private final DuePartitions due;
    private final QuarantinedPartitions suspects = new QuarantinedPartitions();
    private final CycleFailures failures;
    private final Watermarks watermarks;
    private final Fences fences;
    private final Outboxes outboxes;
    private final OutboxSettings settings;
    private final List<Thread> threads = new ArrayList<>();

    private volatile State state = State.STOPPED;
    private volatile int limit;

    public Relay(
            RelayCycle cycle,
            DuePartitions due,
            CycleFailures failures,
            Watermarks watermarks,
            Fences fences,
            Outboxes outboxes,
            OutboxSettings settings) {
        this.cycle = cycle;
        this.due = due;
        this.failures = failures;
        this.watermarks = watermarks;
        this.fences = fences;
        this.outboxes = outboxes;
        this.settings = settings;
        this.limit = settings.batch();
    }

    /** State of a relay. */
    private enum State {
        STOPPED,
        RUNNING,
        STOPPING
    }

    /** Makes a partition due, soon. */
    public void due(int p) {
        if (!suspects.contains(p)) {
            due.add(p);
        }
    }

    /** Makes all partitions due, because watermark updates may have been missed. */
    public void allDue() {
        for (int p = 0; p < fences.partitions().count(); p++) {
            due(p);
        }
    }

    /**
     * Returns whether the relay is stuck for a partition, so that requests must propose no new
     * events.
     */
    public boolean isStuck(int p) {
        return isFailing()
                || cycle.stopped().contains(p)
                || suspects.isGuilty(p)
                || watermarks.oldestWait(p).compareTo(settings.stuckAfter()) > 0;
    }

    /** Returns the partitions that cannot be written although Postgres works. */
    public Set<Integer> failing() {
        return suspects.guilty();
    }

    /** Returns whether relay cycles fail for all partitions. */
    public boolean isFailing() {
        return failures.areTooMany();
    }

    /**
     * Records that Postgres answers. That ends a stuck state only while no event is left to apply.
     */
    public void postgresAnswers() {
        if (failures.any() && due.isEmpty() && watermarks.waiting() == 0) {
            failures.forget();
        }
    }

    @Override
    public synchronized void start() {
        state = State.RUNNING;
        threads.add(Thread.ofPlatform().name("relay-clock").start(this::clock));
        for (int i = 1; i <= threads(); i++) {
            threads.add(Thread.ofPlatform().name("relay-" + i).start(this::work));
        }
        threads.add(Thread.ofPlatform().name("relay-suspects").start(this::workOnSuspects));
    }

    /** One thread may hold each of some shards, so that a slow node delays the others little. */
    private int threads() {
        return Math.max(settings.threads(), Math.min(due.shards(), MOST_SHARDS));
    }

    /**
     * Applies the events that requests wait for, within a bound, and stops. The web server has
     * stopped before.
     */
    @Override
    public synchronized void stop() {
        if (state != State.RUNNING) {
            return;
        }
        state = State.STOPPING;
        long end = System.nanoTime() + STOP.toNanos();
        allDue();
        while (System.nanoTime() < end && (!due.isEmpty() || watermarks.waiting() > 0)) {
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
        try {
            outboxes.finishAcknowledging();
        } catch (Exception e) {
            LOG.debug("Committed, but Redis does not know yet: {}", e.toString());
        }
    }

    @Override
    public boolean isRunning() {
        return state != State.STOPPED;
    }

    /** Stops after the web server, whose phase is higher, and before its own dependencies. */
    @Override
    public int getPhase() {
        return StartPhase.RELAY;
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
            LOG.debug("No relay cycle without Redis");
        } catch (Throwable e) {
            limit = Math.max(1, limit / 2);
            if (failures.isOfAPartition(e)) {
                suspects.add(wanted);
            } else {
                wanted.forEach(due::add);
                Thread.sleep(PROBE.toMillis());
            }
        }
    }

    private void run(List<Integer> wanted) throws Exception {
        if (wanted.isEmpty()) {
            return;
        }
        int share = Math.max(SMALLEST_COUNT, limit / wanted.size());
        // One more, because the first entry is the checkpoint entry, which is applied already.
        int count = Math.min(share, limit) + 1;
        var outcome = cycle.run(wanted, count);
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
            suspects.failed(p, false, PROBE);
        } catch (Throwable e) {
            limit = Math.max(1, limit / 2);
            suspects.failed(p, failures.isOfAPartition(e), PROBE);
        }
    }

    /**
     * A relay cycle that holds the partition may take long; another read would not help its
     * waiters.
     */
    private void dueUnlessTaken(int p) {
        if (!due.isTaken(p)) {
            due(p);
        }
    }

    /** Makes partitions with overdue waiters due, and sweeps all outboxes from time to time. */
    private void clock() {
        long nextSweep = System.nanoTime();
        while (state != State.STOPPED) {
            boolean isWaitedFor = false;
            try {
                isWaitedFor = watermarks.overdue(POLL_AFTER, this::dueUnlessTaken);
                if (System.nanoTime() >= nextSweep) {
                    nextSweep = System.nanoTime() + SWEEP.toNanos();
                    outboxes.sweep(this::due);
                }
            } catch (Throwable e) {
                LOG.debug("No sweep: {}", e.toString());
            }
            LockSupport.parkNanos((isWaitedFor ? POLL_AFTER : IDLE_POLL).toNanos());
        }
    }
}
