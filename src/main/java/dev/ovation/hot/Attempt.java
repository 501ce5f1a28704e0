package dev.ovation.hot;

import java.time.Duration;

/**
 * The tries of one request to find its entity loaded: by itself, or by the one who has the lease.
 */
final class Attempt {

    private static final long LONGEST_PAUSE_MILLIS = 32;

    private String token = Tokens.next();
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
     * Begins.
     *
     * @param lease after how long another's lease, always the same, is taken for abandoned
     * @param patience how long to wait for another
     */
    Attempt(Duration lease, Duration patience) {
        this.leaseNanos = lease.toNanos();
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    String token() {
        return token;
    }

    /** Returns the holder that was waited for in vain, or empty. */
    String stale() {
        return stale;
    }

    /**
     * Takes in who holds the lease and returns whether it is this attempt, which then loads. Each
     * load has a lease of its own: an installation that comes late must not pass for the next one.
     * A load that was in vain, because something is dirty, is repeated ever more seldom.
     */
    boolean holds(String nowHolding) {
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
     * Takes in that the holder has just loaded: the next try needs no pause. That wait had a bound
     * of its own; so, once, there is at least so much patience left.
     */
    void loaded(Duration patience) {
        pauseMillis = 0;
        if (!prolonged) {
            prolonged = true;
            deadline = Math.max(deadline, System.nanoTime() + patience.toNanos());
        }
    }

    private long longerPause() {
        return Math.clamp(pauseMillis * 2, 1, LONGEST_PAUSE_MILLIS);
    }

    /** Pauses when another is waited for; returns whether to try again. */
    boolean again() {
        if (used) {
            stale = token;
            token = Tokens.next();
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
