package dev.ovation.transfer.staging;

import dev.ovation.entity.SettingBounds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import java.time.Duration;

/**
 * Settings of imports and exports.
 *
 * @param maxConcurrent uploads at the same time; exports have the same limit of their own
 * @param chunk rows that one transaction stages while a file arrives
 * @param rows rows of a file at most
 * @param bytes bytes of an uncompressed file at most
 * @param batch rows that one transaction merges at most
 * @param maxLockTime time that a batch may lock its partition; the next batches are smaller or
 *     larger so that they take about as long
 * @param pause time between two batches that leaves a partition to others: proposals made during
 *     the first batch are tried again before the second
 */
public record TransferSettings(
        int maxConcurrent,
        int chunk,
        long rows,
        DataSize bytes,
        int batch,
        Duration maxLockTime,
        Duration pause) {

    public TransferSettings(Bound bound, Internal internal) {
        this(
                internal.maxConcurrent,
                internal.chunk,
                internal.rows,
                bound.bytes,
                internal.batch,
                internal.maxLockTime,
                internal.pause);
    }

    /**
     * Settings for operators.
     *
     * @param bytes Greatest number of uncompressed bytes of an import.
     */
    @ConfigurationProperties("ovation.transfers")
    public record Bound(@DefaultValue("16GB") DataSize bytes) {

        public Bound {
            SettingBounds.atLeast(1, "ovation.transfers.bytes", bytes.toBytes());
        }
    }

    /**
     * Constants of the protocol, bound for tests.
     *
     * @param maxConcurrent Files that arrive at the same time; as many may leave.
     * @param rows Greatest number of rows of an import.
     * @param chunk Rows that one transaction stages.
     * @param batch Rows that one transaction merges at most.
     * @param maxLockTime Time that one merge may lock its partition.
     * @param pause Time between two merges of one partition.
     */
    @ConfigurationProperties("ovation.internal.transfers")
    public record Internal(
            @DefaultValue("4") int maxConcurrent,
            @DefaultValue("100000000") long rows,
            @DefaultValue("20000") int chunk,
            @DefaultValue("50000") int batch,
            @DefaultValue("250ms") Duration maxLockTime,
            @DefaultValue("20ms") Duration pause) {}
}
