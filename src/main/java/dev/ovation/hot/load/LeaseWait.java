package dev.ovation.hot.load;

import dev.ovation.hot.state.UniqueNames;

import java.time.Duration;

/** The tries of one request to get its entity loaded, by itself or by the holder of the lease. */
public final class LeaseWait {

    private static final long LONGEST_PAUSE_MILLIS = 32;

    private String token = UniqueNames.next();
    private boolean used;
    private final long leaseNanos;
    private long deadline;
    private boolean prolonged;
    private String holder = "";
    private String stale = "";
    private long holderSince;
    private long pauseMillis;
    private int loads;
    private boolean hopeless;

    /**
     * Starts the first try.
     *
     * @param lease time after which an unchanged lease of another loader counts as abandoned
     * @param patience how long to wait for another loader
     */
    public LeaseWait(Duration lease, Duration patience) {
        this.leaseNanos = lease.toNanos();
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    public String token() {
        return token;
    }

    /** Returns the holder of an abandoned lease, or an empty string. */
    public String stale() {
        return stale;
    }

    /**
     * Records the holder of the lease and returns whether it is this attempt, which then loads.
     * Each load has its own lease, so that a late installation is not mistaken for the next one.
     * When loads fail because the entity is dirty, the pauses between them double.
     */
    public boolean holds(String nowHolding) {
        stale = "";
        if (nowHolding.equals(token)) {
            used = true;
            pauseMillis = loads++ == 0 ? Math.min(pauseMillis, 1) : longerPause();
            return true;
        }
        hopeless = nowHolding.isEmpty();
        pauseMillis = longerPause();
        if (!nowHolding.equals(holder)) {
            holder = nowHolding;
            holderSince = System.nanoTime();
        } else if (System.nanoTime() - holderSince > leaseNanos) {
            stale = nowHolding;
        }
        return false;
    }

    /**
     * Records that the holder has just loaded, so that the next try needs no pause. The wait for
     * the holder had its own bound. Therefore the first call extends the deadline so that at least
     * {@code patience} is left.
     */
    public void loaded(Duration patience) {
        pauseMillis = 0;
        if (!prolonged) {
            prolonged = true;
            deadline = Math.max(deadline, System.nanoTime() + patience.toNanos());
        }
    }

    private long longerPause() {
        return Math.clamp(pauseMillis * 2, 1, LONGEST_PAUSE_MILLIS);
    }

    /** Pauses while another loader is waited for; returns whether to try again. */
    public boolean again() {
        if (used) {
            stale = token;
            token = UniqueNames.next();
            used = false;
        }
        if (hopeless || System.nanoTime() > deadline) {
            return false;
        }
        if (pauseMillis > 0) {
            try {
                Thread.sleep(pauseMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        } else {
            pauseMillis = 1;
        }
        return true;
    }
}
