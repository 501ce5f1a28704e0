package dev.ovation.erasure.removal;

import dev.ovation.outbox.PartitionTransactions.Changed;

import java.util.List;

/**
 * Result of a removal or a return.
 *
 * @param rows number of deleted or returned reactions
 * @param changed all given entities, also those without such a reaction
 */
public record ChangedRows(long rows, List<Changed> changed) {}
