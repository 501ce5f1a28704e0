package dev.ovation.transfer;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import java.time.Duration;

/**
 * Settings of imports and exports.
 *
 * @param running files that may arrive at the same time; as many may leave
 * @param chunk rows that are put down in one transaction while a file arrives
 * @param rows the most rows of a file
 * @param bytes the most bytes of a file, uncompressed
 * @param batch rows that are moved in one transaction at most
 * @param hold how long a batch may hold its partition; the next ones are smaller or larger so that
 *     they take about as long
 * @param pause how long a partition is left to others between two batches: what they proposed
 *     during the one is tried again before the next
 */
@ConfigurationProperties("ovation.transfers")
record TransferSettings(
        @DefaultValue("4") int running,
        @DefaultValue("20000") int chunk,
        @DefaultValue("100000000") long rows,
        @DefaultValue("16GB") DataSize bytes,
        @DefaultValue("50000") int batch,
        @DefaultValue("250ms") Duration hold,
        @DefaultValue("20ms") Duration pause) {}
