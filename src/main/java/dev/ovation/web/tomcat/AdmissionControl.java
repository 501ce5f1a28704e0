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
 * Admission control: a request begins while the run queue of virtual threads is below its limit.
 * Other requests wait here unread, in order of arrival; the limit of open connections bounds their
 * number. Threads blocked on Redis, Postgres or a commit do not count towards the limit. Work for a
 * request that has begun is never delayed, nor are streams of HTTP/2, which Tomcat bounds for each
 * connection. During a stop all requests are admitted, because a graceful stop waits only for
 * requests that have begun.
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
    private final ReentrantLock admitting = new ReentrantLock();
    private final AtomicBoolean kept = new AtomicBoolean();
    private volatile boolean open;

    /**
     * Creates the admission control.
     *
     * @param threads runs each task on its own virtual thread
     * @param begins true for a task that begins a request; other tasks are never delayed
     * @param runnable run-queue limit: virtual threads that may wait for each processor, at least 1
     */
    AdmissionControl(Executor threads, Predicate<Runnable> begins, int runnable) {
        if (runnable < 1) {
            throw new IllegalArgumentException(
                    "ovation.internal.http.run-queue-limit must be at least 1");
        }
        this.threads = threads;
        this.begins = begins;
        this.runnable = runnable;
    }

    /** Number of requests that wait to begin. */
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

    /** Returns when every request that left the queue has begun. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        open = true;
        admitting.lock();
        try {
            admit();
        } finally {
            admitting.unlock();
        }
    }

    private boolean isCrowded() {
        return !open
                && scheduler.getQueuedVirtualThreadCount()
                        >= (long) runnable * scheduler.getParallelism();
    }

    /** A request that ends admits the next ones. */
    private void begin(Runnable request) {
        threads.execute(
                () -> {
                    try {
                        request.run();
                    } finally {
                        admit();
                    }
                });
    }

    /**
     * One thread at a time admits requests; it checks the queue again before it ends, so that
     * others need not wait.
     */
    private void admit() {
        boolean more = true;
        while (more && !waiting.isEmpty() && !isCrowded() && admitting.tryLock()) {
            try {
                more = admitNext();
            } finally {
                admitting.unlock();
            }
        }
    }

    /** Returns whether another request may be admitted. */
    private boolean admitNext() {
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

    /**
     * Admits requests while no request ends, on a platform thread, which does not compete in the
     * run queue.
     */
    private void keep() {
        if (kept.compareAndSet(false, true)) {
            try {
                Thread.ofPlatform().daemon().name("admission-control").start(this::keepUntilQuiet);
            } catch (OutOfMemoryError e) { // no more threads: requests that end admit others
                kept.set(false);
            }
        }
    }

    private void keepUntilQuiet() {
        try {
            long last = System.nanoTime();
            while (System.nanoTime() - last < STAY_NANOS) {
                admit();
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
