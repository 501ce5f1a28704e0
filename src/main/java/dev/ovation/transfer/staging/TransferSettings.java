package dev.ovation.transfer.staging;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import java.time.Duration;

/**
 * Constants of imports and exports, bound for tests.
 *
 * @param maxConcurrent Files that arrive at the same time; as many may leave.
 * @param chunk Rows that one transaction stages while a file arrives.
 * @param rows Greatest number of rows of an import.
 * @param bytes Greatest number of uncompressed bytes of an import.
 * @param batch Rows that one transaction merges at most.
 * @param maxLockTime Time that one merge may lock its partition; the next ones are smaller or
 *     larger so that they take about as long.
 * @param pause Time between two merges that leaves a partition to others: proposals made during the
 *     first one are tried again before the second.
 */
@ConfigurationProperties("ovation.internal.transfers")
public record TransferSettings(
        @DefaultValue("4") int maxConcurrent,
        @DefaultValue("20000") int chunk,
        @DefaultValue("100000000") long rows,
        @DefaultValue("16GB") DataSize bytes,
        @DefaultValue("50000") int batch,
        @DefaultValue("250ms") Duration maxLockTime,
        @DefaultValue("20ms") Duration pause) {}
