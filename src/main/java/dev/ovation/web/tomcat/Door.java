package dev.ovation.web.tomcat;

import jdk.management.VirtualThreadSchedulerMXBean;

import java.lang.management.ManagementFactory;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets requests begin while few virtual threads wait for a processor. The others wait here, as
 * bytes that nobody has read, in the order in which they came; how many is bounded by the
 * connections that may be open. Who waits for anything else than a processor (Redis, Postgres, a
 * commit) keeps nobody out.
 */
final class Door implements Executor {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long STAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final VirtualThreadSchedulerMXBean scheduler =
            ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    private final Executor threads;
    private final int runnable;
    private final Queue<Runnable> waiting = new LinkedBlockingQueue<>();
    private final AtomicBoolean kept = new AtomicBoolean();

    /**
     * Makes a door.
     *
     * @param threads begins each request on a virtual thread of its own
     * @param runnable how many virtual threads may wait for each processor, at least 1
     */
    Door(Executor threads, int runnable) {
        if (runnable < 1) {
            throw new IllegalArgumentException("ovation.http.runnable must be at least 1");
        }
        this.threads = threads;
        this.runnable = runnable;
    }

    /** How many wait to begin. */
    int waiting() {
        return waiting.size();
    }

    @Override
    public void execute(Runnable request) {
        if (waiting.isEmpty() && !isCrowded()) {
            begin(request);
        } else {
            waiting.add(request);
            keep();
        }
    }

    private boolean isCrowded() {
        return scheduler.getQueuedVirtualThreadCount()
                >= (long) runnable * scheduler.getParallelism();
    }

    /** Whoever ends lets others in. */
    private void begin(Runnable request) {
        threads.execute(
                () -> {
                    try {
                        request.run();
                    } finally {
                        letIn();
                    }
                });
    }

    private void letIn() {
        Runnable next;
        while (!waiting.isEmpty() && !isCrowded() && (next = waiting.poll()) != null) {
            begin(next);
        }
    }

    /** Lets in when nobody ends, on a platform thread: it need not wait behind the crowd. */
    private void keep() {
        if (kept.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("door").start(this::keepUntilQuiet);
        }
    }

    private void keepUntilQuiet() {
        try {
            long last = System.nanoTime();
            while (System.nanoTime() - last < STAY_NANOS) {
                letIn();
                if (!waiting.isEmpty()) {
                    last = System.nanoTime();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } finally {
            kept.set(false);
        }
        if (!waiting.isEmpty()) {
            keep();
        }
    }
}
