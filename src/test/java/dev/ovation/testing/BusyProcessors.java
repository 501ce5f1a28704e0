package dev.ovation.testing;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Virtual threads that occupy all carrier threads of this JVM until this is closed; for tests that
 * are {@code @Isolated}.
 */
public final class BusyProcessors implements AutoCloseable {

    private final AtomicBoolean enough = new AtomicBoolean();

    private BusyProcessors() {}

    /** Number of virtual threads that run at the same time. */
    public static int count() {
        return Integer.getInteger(
                "jdk.virtualThreadScheduler.parallelism",
                Runtime.getRuntime().availableProcessors());
    }

    /** Returns when all are busy. */
    public static BusyProcessors all() {
        var processors = new BusyProcessors();
        var busy = new AtomicInteger();
        for (int i = 0; i < count(); i++) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                busy.incrementAndGet();
                                while (!processors.enough.get()) {
                                    Thread.onSpinWait();
                                }
                            });
        }
        Wait.until("all are busy", () -> busy.get() == count());
        return processors;
    }

    @Override
    public void close() {
        enough.set(true);
    }
}
