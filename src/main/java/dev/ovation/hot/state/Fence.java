package dev.ovation.hot.state;

/**
 * Epoch and server that the caller attached to. Every script compares both with its own before it
 * writes.
 *
 * @param epoch fencing number of the partition, handed out by Postgres
 * @param incarnation replication id of the Redis on which this epoch was opened
 */
public record Fence(long epoch, String incarnation) {}
