package dev.ovation.store;

/**
 * A row of table {@code partition}.
 *
 * @param p number of the partition
 * @param epoch its fencing number; 0 before the first
 * @param incarnation replication id of the Redis that this epoch belongs to
 * @param ageMillis how long ago this epoch was taken, by the clock of Postgres
 * @param appliedSeq the last event of this epoch that is applied; 0 when none is
 * @param appliedOp the op id of that event; empty when there is none
 */
public record PartitionRow(
        int p, long epoch, String incarnation, long ageMillis, long appliedSeq, String appliedOp) {}
