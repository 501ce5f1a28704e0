package dev.ovation.background;

/** The time that an instance works on a job, until it lets go of it. */
public final class Turn {

    private static final double NANOS = 1e9;

    private final long begun = System.nanoTime();
    private long rested;

    /** Waits, which is no work. */
    public void rest(long millis) throws InterruptedException {
        long before = System.nanoTime();
        try {
            Thread.sleep(millis);
        } finally {
            rested += System.nanoTime() - before;
        }
    }

    /** In seconds. */
    double elapsed() {
        return (System.nanoTime() - begun) / NANOS;
    }

    /** In seconds, without the rests. */
    double worked() {
        return elapsed() - rested / NANOS;
    }
}
