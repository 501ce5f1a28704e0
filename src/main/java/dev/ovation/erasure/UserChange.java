package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.erasure.removal.ChangedRows;
import dev.ovation.job.Job;
import dev.ovation.outbox.PartitionTransactions;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Changes what a user has on entities, partition after partition, some entities at a time. */
final class UserChange {

    /** Reactions that are looked up at once; of as many entities at most. */
    static final int FOUND = 5_000;

    /** Entities that are changed in one transaction. */
    private static final int AT_ONCE = 200;

    private final PartitionTransactions interventions;
    private final Partitions partitions;

    UserChange(PartitionTransactions interventions, Partitions partitions) {
        this.interventions = interventions;
        this.partitions = partitions;
    }

    /** Changes some entities of one partition, under its lock. */
    interface Statement {
        ChangedRows change(List<EntityKey> keys, long leap);
    }

    /**
     * Changes entities.
     *
     * @return false when a partition was not available
     */
    boolean change(Collection<EntityKey> keys, Statement statement, ErasureProgress at)
            throws InterruptedException {
        boolean all = true;
        for (var part : byPartition(keys).entrySet()) {
            List<EntityKey> its = part.getValue();
            for (int from = 0; from < its.size(); from += AT_ONCE) {
                var some = its.subList(from, Math.min(from + AT_ONCE, its.size()));
                all &= change(part.getKey(), some, statement, at);
            }
        }
        return all;
    }

    /** Acknowledges the entities of the last batch of a job again. */
    boolean reacknowledge(Job job) throws InterruptedException {
        boolean all = true;
        for (var part : byPartition(ErasureProgress.entities(job)).entrySet()) {
            all &= interventions.acknowledgeAgain(part.getKey(), part.getValue());
        }
        return all;
    }

    /**
     * Applies all events that were proposed in a partition.
     *
     * @return false when the partition was not available
     */
    boolean drain(int p) throws InterruptedException {
        return execute(p, () -> {});
    }

    /**
     * Changes no entity, under the lock of a partition and after its proposed events.
     *
     * @return false when the partition was not available
     */
    boolean execute(int p, Runnable change) throws InterruptedException {
        return interventions.execute(
                p,
                () -> {
                    change.run();
                    return List.of();
                });
    }

    int partitions() {
        return partitions.count();
    }

    private boolean change(int p, List<EntityKey> keys, Statement statement, ErasureProgress at)
            throws InterruptedException {
        return interventions.execute(
                p,
                () -> {
                    ChangedRows changes = statement.change(keys, interventions.leap());
                    at.entities(keys);
                    at.removed("reactions", changes.rows());
                    at.save();
                    return changes.changed();
                });
    }

    private Map<Integer, List<EntityKey>> byPartition(Collection<EntityKey> keys) {
        return keys.stream()
                .sorted()
                .collect(Collectors.groupingBy(partitions::of, TreeMap::new, Collectors.toList()));
    }
}
