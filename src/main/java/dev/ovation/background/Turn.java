package dev.ovation.background;

/** A turn: the time from the start of an instance's work on a job until its release. */
public final class Turn {

    private static final double NANOS = 1e9;

    private final long begun = System.nanoTime();
    private long rested;

    /** Waits; the wait does not count as work. */
    public void rest(long millis) throws InterruptedException {
        long before = System.nanoTime();
        try {
            Thread.sleep(millis);
        } finally {
            rested += System.nanoTime() - before;
        }
    }

    /** Returns the duration in seconds. */
    double elapsed() {
        return (System.nanoTime() - begun) / NANOS;
    }

    /** Returns the worked time in seconds, without the waits. */
    double worked() {
        return elapsed() - rested / NANOS;
    }
}
