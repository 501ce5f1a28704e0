package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.job.Job;
import dev.ovation.job.JobHandler;
import dev.ovation.job.JobLease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
        if (!isInForce(job)) {
            at.end();
            return StepOutcome.ENDED;
        }
        return switch (at.phase()) {
            case 0, 3 -> remove(job, at);
            case 1 -> await(job, at);
            case 2 -> drain(at);
            default -> {
                at.end();
                yield StepOutcome.ENDED;
            }
        };
    }

    /** Returns whether the ban was neither lifted nor changed since the job began. */
    private boolean isInForce(Job job) {
        return userData.isBanned(
                job.request().path(RemovalJobs.USER).asString(""),
                job.request().path(RemovalJobs.NAMESPACE).asString(""),
                job.kind().equals(HIDE) ? "hide" : "remove");
    }

    private StepOutcome remove(Job job, ErasureProgress at) throws InterruptedException {
        String user = job.request().path(RemovalJobs.USER).asString("");
        String namespace = job.request().path(RemovalJobs.NAMESPACE).asString("");
        ReactionRemoval.Trace trace =
                job.kind().equals(HIDE)
                        ? ReactionRemoval.Trace.HIDDEN
                        : ReactionRemoval.Trace.REMOVAL;
        List<EntityKey> found = userData.reactions(user, namespace, UserChange.FOUND);
        Set<EntityKey> entities = Set.copyOf(found);
        if (!changes.change(
                entities, (keys, leap) -> removals.ofUser(user, keys, trace, leap), at)) {
            return StepOutcome.BUSY;
        }
        return found.size() == UserChange.FOUND ? StepOutcome.MORE : next(at);
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
