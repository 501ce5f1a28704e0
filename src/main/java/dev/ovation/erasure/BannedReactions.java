package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.erasure.removal.ReactionRemoval;
import dev.ovation.job.Job;
import dev.ovation.job.JobHandler;
import dev.ovation.job.JobLease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes or hides the reactions of a banned user, at once and once more: another instance may have
 * read the bans a second before, and accept a write of the user until its deadline.
 */
final class BannedReactions implements JobHandler {

    static final String REMOVE = "remove-user-reactions";
    static final String HIDE = "hide-user-reactions";

    private static final Duration KNOWN = Duration.ofSeconds(1);
    private static final long PAUSE_MILLIS = 200;

    private final StoredUserData userData;
    private final ReactionRemoval removals;
    private final UserChange changes;
    private final Duration settled;

    /**
     * Creates a handler.
     *
     * @param deadline time that a write may take
     */
    BannedReactions(
            StoredUserData userData,
            ReactionRemoval removals,
            UserChange changes,
            Duration deadline) {
        this.userData = userData;
        this.removals = removals;
        this.changes = changes;
        this.settled = deadline.plus(KNOWN);
    }

    @Override
    public Set<String> kinds() {
        return Set.of(REMOVE, HIDE);
    }

    @Override
    public boolean reacknowledge(Job job) throws InterruptedException {
        return changes.reacknowledge(job);
    }

    @Override
    public StepOutcome step(Job job, JobLease lease) throws InterruptedException {
        var at = new ErasureProgress(job, lease);
        Optional<Long> end = banEnd(job);
        if (end.isEmpty()) {
            at.end();
            return StepOutcome.ENDED;
        }
        return switch (at.phase()) {
            case 0, 3 -> remove(job, end.get(), at);
            case 1 -> await(job, at);
            case 2 -> drain(at);
            default -> {
                at.end();
                yield StepOutcome.ENDED;
            }
        };
    }

    /**
     * Returns the time before which the ban concerns reactions, if there still is the ban. Nothing
     * that the user adds after its end is removed.
     */
    private Optional<Long> banEnd(Job job) {
        return userData.banEnd(user(job), namespace(job), hides(job) ? "hide" : "remove");
    }

    private StepOutcome remove(Job job, long end, ErasureProgress at) throws InterruptedException {
        String user = user(job);
        ReactionRemoval.Trace trace =
                hides(job) ? ReactionRemoval.Trace.HIDDEN : ReactionRemoval.Trace.REMOVAL;
        List<EntityKey> found = found(job, end);
        Set<EntityKey> entities = Set.copyOf(found);
        if (!changes.change(
                entities, (keys, leap) -> removals.ofUser(user, keys, trace, end, leap), at)) {
            return StepOutcome.BUSY;
        }
        return found.size() >= UserChange.FOUND ? StepOutcome.MORE : next(at);
    }

    /** Finds entities with reactions; a removal concerns hidden ones, too. */
    private List<EntityKey> found(Job job, long end) {
        List<EntityKey> found =
                new ArrayList<>(
                        userData.reactions(user(job), namespace(job), end, UserChange.FOUND));
        if (!hides(job)) {
            found.addAll(
                    userData.hiddenReactions(user(job), namespace(job), end, UserChange.FOUND));
        }
        return found;
    }

    private static String user(Job job) {
        return job.request().path(RemovalJobs.USER).asString("");
    }

    private static String namespace(Job job) {
        return job.request().path(RemovalJobs.NAMESPACE).asString("");
    }

    private static boolean hides(Job job) {
        return job.kind().equals(HIDE);
    }

    private StepOutcome await(Job job, ErasureProgress at) throws InterruptedException {
        if (Instant.now().isBefore(job.startedAt().plus(settled))) {
            Thread.sleep(PAUSE_MILLIS);
            return StepOutcome.BUSY;
        }
        return next(at);
    }

    private StepOutcome drain(ErasureProgress at) throws InterruptedException {
        int p = Integer.parseInt(at.place("0"));
        if (p == changes.partitions()) {
            return next(at);
        }
        if (!changes.drain(p)) {
            return StepOutcome.BUSY;
        }
        at.goOnAt(Integer.toString(p + 1));
        at.save();
        return StepOutcome.MORE;
    }

    private static StepOutcome next(ErasureProgress at) {
        at.nextPhase();
        at.save();
        return StepOutcome.MORE;
    }
}
