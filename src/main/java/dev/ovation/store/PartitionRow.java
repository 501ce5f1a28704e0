package dev.ovation.store;

/**
 * A row of table {@code partition}.
 *
 * @param p number of the partition
 * @param epoch its fencing number; 0 before the first
 * @param incarnation replication id of the Redis of this epoch
 * @param ageMillis time since this epoch was taken, by the clock of Postgres
 * @param appliedSeq the last applied event of this epoch; 0 for none
 * @param appliedOp the op id of that event; empty for none
 * @param logged whether changes are written to table {@code change_log}
 */
public record PartitionRow(
        int p,
        long epoch,
        String incarnation,
        long ageMillis,
        long appliedSeq,
        String appliedOp,
        boolean logged) {

    /** Creates a row of a partition whose changes are not logged. */
    public PartitionRow(
            int p,
            long epoch,
            String incarnation,
            long ageMillis,
            long appliedSeq,
            String appliedOp) {
        this(p, epoch, incarnation, ageMillis, appliedSeq, appliedOp, false);
    }
}
