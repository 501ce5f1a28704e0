package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.erasure.removal.ReactionReturn;
import dev.ovation.job.Job;
import dev.ovation.job.JobHandler;
import dev.ovation.job.JobLease;

import java.util.List;
import java.util.Set;

/**
 * Returns the hidden reactions of a user that no ban hides any more, with their times. It begins
 * after an erasure of the user, which looks for reactions before it deletes hidden ones: those that
 * return between the two would stay. An erasure that begins during a step cancels this job, and
 * with it the step, before it looks for reactions.
 */
final class HiddenReactionReturn implements JobHandler {

    static final String KIND = "show-user-reactions";

    private final StoredUserData userData;
    private final ReactionReturn returns;
    private final UserChange changes;

    HiddenReactionReturn(StoredUserData userData, ReactionReturn returns, UserChange changes) {
        this.userData = userData;
        this.returns = returns;
        this.changes = changes;
    }

    @Override
    public Set<String> kinds() {
        return Set.of(KIND);
    }

    @Override
    public boolean reacknowledge(Job job) throws InterruptedException {
        return changes.reacknowledge(job);
    }

    @Override
    public StepOutcome step(Job job, JobLease lease) throws InterruptedException {
        var at = new ErasureProgress(job, lease);
        String user = job.request().path(RemovalJobs.USER).asString("");
        if (userData.isBeingErased(user)) {
            return StepOutcome.LATER;
        }
        // An earlier step may have hidden reactions that are not visible yet.
        if (!userData.awaitCommits()) {
            return StepOutcome.BUSY;
        }
        List<EntityKey> found = userData.shown(user, UserChange.FOUND);
        if (found.isEmpty()) {
            at.end();
            return StepOutcome.ENDED;
        }
        return changes.change(found, (keys, leap) -> returns.ofUser(user, keys, leap), at)
                ? StepOutcome.MORE
                : StepOutcome.BUSY;
    }
}
