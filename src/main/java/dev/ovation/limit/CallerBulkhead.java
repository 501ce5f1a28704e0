package dev.ovation.limit;

import dev.ovation.access.Principal;
import dev.ovation.entity.Bound;
import dev.ovation.web.guard.Bulkhead.Permit;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Bulkhead for each caller: bounds its concurrent requests of one kind. */
public final class CallerBulkhead {

    /** A guess: the end of a request is not known before. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** Of the permits that all callers share, one caller leaves at least one in so many. */
    private static final int LEFT_TO_OTHERS = 8;

    private final int most;
    private final Refusal refusal;
    private final Map<String, Integer> taken = new ConcurrentHashMap<>();

    /** The refusal of a caller that holds all its permits. */
    private interface Refusal {
        ProblemException of(Principal who, int most);
    }

    /**
     * Bulkhead for each caller.
     *
     * @param policy name of the bound, which is also what it bounds: "imports"
     * @param most at least 1
     */
    CallerBulkhead(String policy, int most, Refusals refusals) {
        this(most, (who, bound) -> rateLimited(policy, bound, who, refusals));
    }

    private CallerBulkhead(int most, Refusal refusal) {
        this.most = most;
        this.refusal = refusal;
    }

    /**
     * The share of one caller in permits that all callers have in common: of two permits or more,
     * one caller always leaves an eighth, at least one, to the others. Beyond it the answer is the
     * 503 of a request that finds no permit.
     *
     * @param what what is bounded, as the beginning of a sentence: "writes"
     * @param permits of all callers, at least 1
     */
    public static CallerBulkhead share(String what, int permits) {
        return new CallerBulkhead(
                        Integer.MAX_VALUE,
                        (_, bound) ->
                                Problems.unavailable(
                                                "%s of this caller are at their limit of %d, nothing was done"
                                                        .formatted(what, bound),
                                                RETRY_AFTER)
                                        .at(Bound.PERMITS))
                .of(permits);
    }

    /** The same bound where all callers have the given permits in common. */
    public CallerBulkhead of(int permits) {
        int left = Math.max(1, permits / LEFT_TO_OTHERS);
        return new CallerBulkhead(Math.clamp((long) permits - left, 1, most), refusal);
    }

    /**
     * Takes a permit of the caller's.
     *
     * @throws ProblemException when it has none left
     */
    public Permit take(Principal who) {
        return take(who, 1);
    }

    /**
     * Takes {@code many} permits of the caller's, at most all of them.
     *
     * @throws ProblemException when fewer are left to it
     */
    public Permit take(Principal who, int many) {
        if (who.isOpen()) {
            return () -> {};
        }
        // The id of a key has no space.
        String holder = who.user() == null ? who.getName() : "user " + who.user();
        int weight = Math.min(many, most);
        var _ = taken.merge(holder, weight, (now, more) -> sum(now, more, who));
        var given = new AtomicBoolean(true);
        return () -> {
            if (given.compareAndSet(true, false)) {
                var _ =
                        taken.computeIfPresent(
                                holder, (_, now) -> now == weight ? null : now - weight);
            }
        };
    }

    /** An exception leaves the number as it is. */
    private int sum(int now, int more, Principal who) {
        if (now > most - more) {
            throw refusal.of(who, most);
        }
        return now + more;
    }

    private static ProblemException rateLimited(
            String policy, int most, Principal who, Refusals refusals) {
        return refusals.refuse(policy, most + " at the same time", who, RETRY_AFTER)
                .header(
                        "RateLimit-Policy",
                        "\"%s\";q=%d;qu=\"concurrent-requests\"".formatted(policy, most))
                .header("RateLimit", "\"%s\";r=0".formatted(policy));
    }
}
