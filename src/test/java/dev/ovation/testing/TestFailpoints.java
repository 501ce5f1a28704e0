package dev.ovation.testing;

import dev.ovation.hot.state.Failpoints;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Failpoints at which a test pauses an instance or makes it fail. */
public final class TestFailpoints implements Failpoints {

    private final Map<Point, Pause> pauses = new ConcurrentHashMap<>();
    private final Map<Point, AtomicReference<RuntimeException>> failures =
            new ConcurrentHashMap<>();

    /** Holds each thread that reaches a point, until it is closed. */
    public final class Pause implements AutoCloseable {
        private final Point point;
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private Pause(Point point) {
            this.point = point;
        }

        /** Waits until a thread has reached the point. */
        public void awaitArrival() {
            Wait.until("a thread is at " + point, () -> arrived.getCount() == 0);
        }

        /** Releases all threads; later ones pass. */
        public void release() {
            pauses.remove(point, this);
            released.countDown();
        }

        @Override
        public void close() {
            release();
        }
    }

    /** Holds each thread that reaches a point from now on. */
    public Pause pauseAt(Point point) {
        var pause = new Pause(point);
        pauses.put(point, pause);
        return pause;
    }

    /** Returns these failpoints for all threads but those of relays. */
    public Failpoints exceptInRelays() {
        return point -> {
            if (!Thread.currentThread().getName().startsWith("relay-")) {
                reached(point);
            }
        };
    }

    /** Throws in the next thread that reaches a point. */
    public void failOnceAt(Point point, RuntimeException failure) {
        failures.put(point, new AtomicReference<>(failure));
    }

    /** Whether the failure that was set for a point has occurred; false after a clear. */
    public boolean hasFailedAt(Point point) {
        var failure = failures.get(point);
        return failure != null && failure.get() == null;
    }

    /** Releases all threads at all points, also after a test that failed. */
    public void clear() {
        failures.clear();
        pauses.values().forEach(Pause::release);
    }

    /** Lets the relay leave its one call out, so that it reaches the end of its statements. */
    static RuntimeException noCall() {
        return new IllegalStateException("the test needs a transaction of statements");
    }

    private boolean isSetAt(Point point) {
        var failure = failures.get(point);
        return pauses.containsKey(point) || (failure != null && failure.get() != null);
    }

    @Override
    public void reached(Point point) {
        if (point == Point.BEFORE_CALL && isSetAt(Point.BEFORE_COMMIT)) {
            throw noCall();
        }
        var pause = pauses.get(point);
        if (pause != null) {
            pause.arrived.countDown();
            try {
                pause.released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        var failure = failures.get(point);
        RuntimeException next = failure == null ? null : failure.getAndSet(null);
        if (next != null) {
            throw next;
        }
    }
}
