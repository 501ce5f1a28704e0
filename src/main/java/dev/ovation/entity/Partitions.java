package dev.ovation.entity;

import io.lettuce.core.codec.CRC16;

import java.nio.charset.StandardCharsets;

/**
 * Divides entities into partitions: CRC16 (XMODEM, as in Redis Cluster) of {@code namespace ':'
 * entity} in UTF-8, modulo the number of partitions.
 *
 * @param count number of partitions, at least 1
 */
public record Partitions(int count) {

    public Partitions {
        if (count < 1) {
            throw new IllegalArgumentException("at least one partition, not " + count);
        }
    }

    /** Returns the partition of an entity, from 0 to count - 1. */
    public int of(EntityKey key) {
        var name = key.namespace() + ':' + key.entity();
        return CRC16.crc16(name.getBytes(StandardCharsets.UTF_8)) % count;
    }
}
