package dev.ovation.console;

import org.jspecify.annotations.Nullable;

/**
 * The activity of one instance between two readings of its meters.
 *
 * @param at time of the second reading, RFC 3339 in UTC
 * @param readsPerSecond answered reads of reactions and of lists of reactors, without streams
 * @param writesPerSecond answered writes of reactions; a batch is one
 * @param failuresPerSecond answers with a 5xx, of all operations
 * @param readP99Seconds 99th percentile of the times of successful reads; null without one
 * @param writeP99Seconds 99th percentile of the times of successful writes; null without one
 * @param commitLagP99Seconds 99th percentile of {@code ovation.commit.lag}; null without a commit
 * @param outboxEvents changes that waited for Postgres at the second reading
 * @param outboxOldestSeconds age of the oldest of them
 * @param watchers open streams at the second reading
 */
record SeriesSample(
        String at,
        double readsPerSecond,
        double writesPerSecond,
        double failuresPerSecond,
        @Nullable Double readP99Seconds,
        @Nullable Double writeP99Seconds,
        @Nullable Double commitLagP99Seconds,
        double outboxEvents,
        double outboxOldestSeconds,
        double watchers) {}
