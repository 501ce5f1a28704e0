package dev.ovation.limit;

import dev.ovation.access.Principal;
import dev.ovation.web.guard.Bulkhead.Permit;
import dev.ovation.web.problem.ProblemException;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Bulkhead for each caller: bounds its concurrent transfers of one kind. */
public final class CallerBulkhead {

    /** A guess: the end of a transfer is not known before. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final String policy;
    private final int most;
    private final Refusals refusals;
    private final Map<String, Integer> taken = new ConcurrentHashMap<>();

    /**
     * Bulkhead for each caller.
     *
     * @param policy name of the bound, which is also what it bounds: "imports"
     * @param most at least 1
     */
    CallerBulkhead(String policy, int most, Refusals refusals) {
        this.policy = policy;
        this.most = most;
        this.refusals = refusals;
    }

    /**
     * The same bound where all callers share the given places: of two places or more, one caller
     * always leaves one to the others.
     */
    public CallerBulkhead of(int places) {
        return new CallerBulkhead(policy, Math.clamp(places - 1L, 1, most), refusals);
    }

    /**
     * Takes a permit of the caller's.
     *
     * @throws ProblemException 429 when it has none left
     */
    public Permit take(Principal who) {
        if (who.isOpen()) {
            return () -> {};
        }
        // The id of a key has no space.
        String holder = who.user() == null ? who.getName() : "user " + who.user();
        var _ = taken.merge(holder, 1, (now, one) -> more(now, who));
        var given = new AtomicBoolean(true);
        return () -> {
            if (given.compareAndSet(true, false)) {
                var _ = taken.computeIfPresent(holder, (_, now) -> now == 1 ? null : now - 1);
            }
        };
    }

    /** An exception leaves the number as it is. */
    private int more(int now, Principal who) {
        if (now >= most) {
            throw refusals.refuse(policy, most + " at the same time", who, RETRY_AFTER)
                    .header(
                            "RateLimit-Policy",
                            "\"%s\";q=%d;qu=\"concurrent-requests\"".formatted(policy, most))
                    .header("RateLimit", "\"%s\";r=0".formatted(policy));
        }
        return now + 1;
    }
}
