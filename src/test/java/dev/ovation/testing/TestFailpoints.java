package dev.ovation.testing;

import dev.ovation.hot.Failpoints;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Failpoints at which a test pauses an instance, or lets it fail. */
public final class TestFailpoints implements Failpoints {

    private final Map<Point, Pause> pauses = new ConcurrentHashMap<>();
    private final Map<Point, AtomicReference<RuntimeException>> failures =
            new ConcurrentHashMap<>();

    /** Holds everybody who comes to a point until it is closed. */
    public final class Pause implements AutoCloseable {
        private final Point point;
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private Pause(Point point) {
            this.point = point;
        }

        /** Waits until somebody has come. */
        public void awaitArrival() {
            Wait.until("somebody is at " + point, () -> arrived.getCount() == 0);
        }

        /** Lets everybody go on, and later ones pass. */
        public void release() {
            pauses.remove(point, this);
            released.countDown();
        }

        @Override
        public void close() {
            release();
        }
    }

    /** Holds everybody who comes to a point from now on. */
    public Pause pauseAt(Point point) {
        var pause = new Pause(point);
        pauses.put(point, pause);
        return pause;
    }

    /** Throws at the next who comes to a point. */
    public void failOnceAt(Point point, RuntimeException failure) {
        failures.put(point, new AtomicReference<>(failure));
    }

    /** Whether what was to fail at a point has failed; nothing is to fail there after a clear. */
    public boolean hasFailedAt(Point point) {
        var failure = failures.get(point);
        return failure != null && failure.get() == null;
    }

    /** Lets everybody pass everywhere, whatever a test that failed has left. */
    public void clear() {
        failures.clear();
        pauses.values().forEach(Pause::release);
    }

    @Override
    public void reached(Point point) {
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
