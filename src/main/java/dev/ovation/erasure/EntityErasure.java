package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.erasure.removal.ReactionRemoval;
import dev.ovation.job.Job;
import dev.ovation.job.JobHandler;
import dev.ovation.job.JobLease;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.store.shard.Shards;
import dev.ovation.transfer.staging.StagedRowRemoval;

import org.springframework.transaction.support.TransactionOperations;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Erases the reactions to an entity, batch after batch: at every commit its counts are those of the
 * rows that are left. The row of the entity stays, with a new version.
 */
final class EntityErasure implements JobHandler {

    static final String KIND = "erase-entity";
    static final String NAMESPACE = RemovalJobs.NAMESPACE;
    static final String ENTITY = RemovalJobs.ENTITY;

    private static final int BATCH = 5_000;

    private final StagedRowRemoval staging;
    private final ReactionRemoval removals;
    private final PartitionTransactions interventions;
    private final Shards shards;
    private final TransactionOperations transactions;
    private final Partitions partitions;

    EntityErasure(
            StagedRowRemoval staging,
            ReactionRemoval removals,
            PartitionTransactions interventions,
            Shards shards,
            TransactionOperations transactions,
            Partitions partitions) {
        this.staging = staging;
        this.removals = removals;
        this.interventions = interventions;
        this.shards = shards;
        this.transactions = transactions;
        this.partitions = partitions;
    }

    @Override
    public Set<String> kinds() {
        return Set.of(KIND);
    }

    @Override
    public boolean reacknowledge(Job job) throws InterruptedException {
        EntityKey key = key(job);
        return job.position().isEmpty()
                || interventions.acknowledgeAgain(partitions.of(key), List.of(key));
    }

    static EntityKey key(Job job) {
        return new EntityKey(
                job.request().path(NAMESPACE).asString(""),
                job.request().path(ENTITY).asString(""));
    }

    /** First what imports would bring, then what is there. */
    @Override
    public StepOutcome step(Job job, JobLease lease) throws InterruptedException {
        EntityKey key = key(job);
        var at = new ErasureProgress(job, lease);
        return switch (at.phase()) {
            case 0 -> unstage(key, at);
            case 1 -> remove(key, at);
            default -> {
                at.end();
                yield StepOutcome.ENDED;
            }
        };
    }

    /** Begins when all rows that were staged before the erasure are visible. */
    private StepOutcome unstage(EntityKey key, ErasureProgress at) throws InterruptedException {
        String from = at.place(StagedRowRemoval.START);
        if (from.equals(StagedRowRemoval.START) && !shards.awaitCommits()) {
            return StepOutcome.BUSY;
        }
        transactions.executeWithoutResult(
                _ -> {
                    var of = Map.of("namespace", key.namespace(), "entity", key.entity());
                    var part = staging.delete(StagedRowRemoval.OF_ENTITY, of, from);
                    at.removed("staged", part.removed());
                    if (part.next() == null) {
                        at.nextPhase();
                    } else {
                        at.goOnAt(part.next());
                    }
                    at.save();
                });
        return StepOutcome.MORE;
    }

    private StepOutcome remove(EntityKey key, ErasureProgress at) throws InterruptedException {
        boolean made =
                interventions.execute(
                        partitions.of(key),
                        () -> {
                            var removed = removals.ofEntity(key, BATCH, interventions.leap());
                            at.removed("reactions", removed.rows());
                            if (removed.rows() < BATCH) {
                                at.nextPhase();
                            }
                            at.save();
                            return removed.changed();
                        });
        return made ? StepOutcome.MORE : StepOutcome.BUSY;
    }
}
