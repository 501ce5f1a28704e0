package dev.ovation.transfer.merge;

import dev.ovation.outbox.PartitionTransactions.Changed;

import java.util.List;

/**
 * The result of merging the rows of a step.
 *
 * @param applied number of rows that changed a table
 * @param outdated number of rows that are older than what the user has changed since
 * @param changed entities with a new state
 */
record MergeResult(long applied, long outdated, List<Changed> changed) {}
