package dev.ovation.transfer;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of imports and exports.
 *
 * @param running files that may arrive at the same time; as many may leave
 * @param chunk rows that are put down in one transaction while a file arrives
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
        @DefaultValue("50000") int batch,
        @DefaultValue("250ms") Duration hold,
        @DefaultValue("20ms") Duration pause) {}
