package dev.ovation.hot.cluster;

import io.lettuce.core.RedisClient;

/**
 * A client of one node.
 *
 * @param close ends the client; it may block
 */
public record NodeClient(RedisClient client, Runnable close) {}
