package dev.ovation.limit;

import dev.ovation.access.Policy;
import dev.ovation.access.Rate;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The units of a rate that are left to one caller or one user: a bucket of {@code quota} tokens
 * that fills evenly, the whole of it in a window. Safe for use by several threads.
 */
final class Quota {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final QuotaKey key;
    private final Bucket bucket;
    private final String name;
    private final String policy;

    /** How long a unit takes to come back, rounded down. */
    private final long nanosOfAUnit;

    /**
     * The owner of a quota.
     *
     * @param principal the name of the caller, see {@link dev.ovation.access.Principal#getName}
     * @param id the user, or the address, of which the policy is; empty for the caller itself
     */
    record QuotaKey(Policy policy, Rate rate, String principal, String id) {}

    /** A full one. */
    Quota(QuotaKey key, TimeMeter time) {
        long quota = key.rate.quota();
        Duration window = key.rate.window();
        this.key = key;
        this.name = key.policy.label();
        this.bucket =
                Bucket.builder()
                        .withCustomTimePrecision(time)
                        .addLimit(
                                Bandwidth.builder()
                                        .capacity(quota)
                                        .refillGreedy(quota, window)
                                        .build())
                        .build();
        this.nanosOfAUnit = window.toNanos() / quota;
        this.policy = "\"%s\";q=%d;w=%d".formatted(name, quota, window.toSeconds());
    }

    /** The name of the policy. */
    String name() {
        return name;
    }

    /** The most units that can be taken at once. */
    long size() {
        return key.rate.quota();
    }

    long halfWindowNanos() {
        return key.rate.window().toNanos() / 2;
    }

    /** The limit, as in "30 units in 10 s". */
    String words() {
        return "%d units in %d s".formatted(size(), key.rate.window().toSeconds());
    }

    /** Takes all these units, at least 1, or none and returns false. */
    boolean take(long units) {
        return bucket.tryConsume(units);
    }

    /** Takes one unit and returns the {@link #limit} then; null when there is none. */
    @Nullable String takeOne() {
        ConsumptionProbe taken = bucket.tryConsumeAndReturnRemaining(1);
        if (!taken.isConsumed()) {
            return null;
        }
        // At least 1, the one that is taken.
        long missing = size() - taken.getRemainingTokens();
        long more = taken.getNanosToWaitForReset() - (missing - 1) * nanosOfAUnit;
        return limit(taken.getRemainingTokens(), Math.ceilDiv(more, SECOND));
    }

    /** Gives units back that were taken. */
    void giveBack(long units) {
        bucket.addTokens(units);
    }

    /** The units that can be taken now. */
    long remaining() {
        return bucket.getAvailableTokens();
    }

    /** Seconds, rounded up, until these units are available, if no other request takes units. */
    long secondsUntil(long units) {
        return Math.ceilDiv(
                bucket.estimateAbilityToConsume(units).getNanosToWaitForRefill(), SECOND);
    }

    /** The item of the header {@code RateLimit-Policy}. */
    String policy() {
        return policy;
    }

    /** The item of the header {@code RateLimit}: the units left, and when there is one more. */
    String limit() {
        long remaining = remaining();
        return limit(remaining, remaining < size() ? secondsUntil(remaining + 1) : 0);
    }

    private String limit(long remaining, long seconds) {
        return '"' + name + "\";r=" + remaining + ";t=" + seconds;
    }
}
