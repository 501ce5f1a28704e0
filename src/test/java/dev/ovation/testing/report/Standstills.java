package dev.ovation.testing.report;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Records when this JVM stood still. A garbage collection takes a second of processor time; on a
 * machine with many processes it can stop all threads for longer than their time-outs.
 */
final class Standstills {

    private static final long LOOK_MILLIS = 100;
    private static final long WORTH_A_LINE_MILLIS = 1000;

    private final Recent lines;
    private long looked;
    private long collected;

    /**
     * @param now milliseconds of a clock
     * @param collected milliseconds that garbage collections took until now
     */
    Standstills(Recent lines, long now, long collected) {
        this.lines = lines;
        this.looked = now;
        this.collected = collected;
    }

    /** Starts to watch this JVM, until it ends. */
    static void watch() {
        Thread.ofPlatform().daemon().name("standstills").start(Standstills::watchOn);
    }

    private static void watchOn() {
        var watch = new Standstills(Recent.STANDSTILLS, now(), collected());
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                watch.look(now(), collected());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private static long collected() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    /** Adds a line when this look is more than a second late. */
    void look(long now, long nowCollected) {
        long late = now - looked - LOOK_MILLIS;
        if (late > WORTH_A_LINE_MILLIS) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "end of a standstill of %.1f s; garbage collections took %.1f s of it",
                            late / 1e3,
                            (nowCollected - collected) / 1e3));
        }
        looked = now;
        collected = nowCollected;
    }
}
