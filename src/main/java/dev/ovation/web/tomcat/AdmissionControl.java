package dev.ovation.web.tomcat;

import jdk.management.VirtualThreadSchedulerMXBean;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

import java.lang.management.ManagementFactory;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Lets requests begin while few virtual threads wait for a processor. The others wait here, as
 * bytes that nobody has read, in the order in which they came; how many is bounded by the
 * connections that may be open. Who waits for anything else than a processor (Redis, Postgres, a
 * commit) keeps nobody out. What goes on with a request that has begun goes through, and so do the
 * streams of HTTP/2, of which Tomcat bounds those of each connection. Once the service is to stop
 * all go through: a graceful stop knows only of those who have begun.
 */
final class AdmissionControl implements Executor, ApplicationListener<ContextClosedEvent> {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long STAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final VirtualThreadSchedulerMXBean scheduler =
            ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    private final Executor threads;
    private final Predicate<Runnable> begins;
    private final int runnable;
    private final Deque<Runnable> waiting = new LinkedBlockingDeque<>();
    private final ReentrantLock lettingIn = new ReentrantLock();
    private final AtomicBoolean kept = new AtomicBoolean();
    private volatile boolean open;

    /**
     * Makes a door.
     *
     * @param threads runs each on a virtual thread of its own
     * @param begins what begins a request; the rest goes on with one
     * @param runnable how many virtual threads may wait for each processor, at least 1
     */
    AdmissionControl(Executor threads, Predicate<Runnable> begins, int runnable) {
        if (runnable < 1) {
            throw new IllegalArgumentException("ovation.http.runnable must be at least 1");
        }
        this.threads = threads;
        this.begins = begins;
        this.runnable = runnable;
    }

    /** How many wait to begin. */
    int waiting() {
        return waiting.size();
    }

    @Override
    public void execute(Runnable work) {
        if (!begins.test(work)) {
            threads.execute(work);
        } else if (waiting.isEmpty() && !isCrowded()) {
            begin(work);
        } else {
            waiting.add(work);
            keep();
        }
    }

    /** Returns when none is left that was taken out of the queue and has not begun. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        open = true;
        lettingIn.lock();
        try {
            letIn();
        } finally {
            lettingIn.unlock();
        }
    }

    private boolean isCrowded() {
        return !open
                && scheduler.getQueuedVirtualThreadCount()
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

    /** One at a time does that; the others need not wait, for it looks again before it ends. */
    private void letIn() {
        boolean more = true;
        while (more && !waiting.isEmpty() && !isCrowded() && lettingIn.tryLock()) {
            try {
                more = letInNext();
            } finally {
                lettingIn.unlock();
            }
        }
    }

    /** Returns whether another one may be let in. */
    private boolean letInNext() {
        Runnable next = waiting.poll();
        if (next == null) {
            return false;
        }
        try {
            begin(next);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            waiting.addFirst(next); // no thread for it now
            return false;
        }
    }

    /** Lets in when nobody ends, on a platform thread: it need not wait behind the crowd. */
    private void keep() {
        if (kept.compareAndSet(false, true)) {
            try {
                Thread.ofPlatform().daemon().name("door").start(this::keepUntilQuiet);
            } catch (OutOfMemoryError e) { // no more threads: those who end let others in
                kept.set(false);
            }
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
