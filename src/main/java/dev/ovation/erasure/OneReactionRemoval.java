package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.erasure.removal.ReactionRemoval;
import dev.ovation.job.Job;
import dev.ovation.job.JobHandler;
import dev.ovation.job.JobLease;
import dev.ovation.outbox.PartitionTransactions;

import java.util.List;
import java.util.Set;

/**
 * Removes one reaction from an entity, batch after batch: at every commit its counts are those of
 * the rows that are left.
 */
final class OneReactionRemoval implements JobHandler {

    static final String KIND = "remove-reaction";

    private static final int BATCH = 5_000;

    private final ReactionRemoval removals;
    private final PartitionTransactions interventions;
    private final Partitions partitions;

    OneReactionRemoval(
            ReactionRemoval removals, PartitionTransactions interventions, Partitions partitions) {
        this.removals = removals;
        this.interventions = interventions;
        this.partitions = partitions;
    }

    @Override
    public Set<String> kinds() {
        return Set.of(KIND);
    }

    @Override
    public boolean reacknowledge(Job job) throws InterruptedException {
        EntityKey key = EntityErasure.key(job);
        return job.position().isEmpty()
                || interventions.acknowledgeAgain(partitions.of(key), List.of(key));
    }

    @Override
    public StepOutcome step(Job job, JobLease lease) throws InterruptedException {
        var at = new ErasureProgress(job, lease);
        if (at.phase() > 0) {
            at.end();
            return StepOutcome.ENDED;
        }
        EntityKey key = EntityErasure.key(job);
        String reaction = job.request().path(RemovalJobs.REACTION).asString("");
        boolean made =
                interventions.execute(
                        partitions.of(key),
                        () -> {
                            long leap = interventions.leap();
                            var removed = removals.ofReaction(key, reaction, BATCH, leap);
                            at.removed("reactions", removed.rows());
                            if (removed.rows() < BATCH) {
                                at.nextPhase();
                            } else {
                                at.goOnAt("batch");
                            }
                            at.save();
                            return removed.changed();
                        });
        return made ? StepOutcome.MORE : StepOutcome.BUSY;
    }
}
