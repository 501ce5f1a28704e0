package dev.ovation.hot;

/**
 * What every script checks before it writes: that it runs in the epoch, and on the server, that the
 * caller attached to.
 *
 * @param epoch fencing number of the partition, handed out by Postgres
 * @param incarnation replication id of the Redis that this epoch was opened on
 */
public record Fence(long epoch, String incarnation) {}
