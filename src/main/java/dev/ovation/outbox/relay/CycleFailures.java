package dev.ovation.outbox.relay;

import dev.ovation.store.PartitionTable;
import dev.ovation.store.postgres.PostgresReason;

import io.lettuce.core.RedisCommandExecutionException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Failures of relay cycles, at Postgres or Redis since the last success, and their causes. */
public final class CycleFailures {

    private static final Logger LOG = LoggerFactory.getLogger(CycleFailures.class);
    private static final int TOO_MANY = 2;

    private final PartitionTable partitions;
    private final OutboxMetrics metrics;
    private final AtomicInteger count = new AtomicInteger();

    public CycleFailures(PartitionTable partitions, OutboxMetrics metrics) {
        this.partitions = partitions;
        this.metrics = metrics;
    }

    boolean any() {
        return count.get() > 0;
    }

    boolean areTooMany() {
        return count.get() >= TOO_MANY;
    }

    void forget() {
        count.set(0);
    }

    /**
     * Records the failure of a relay cycle.
     *
     * @return whether a partition is its cause: Redis answered, and Postgres takes a write
     */
    boolean isOfAPartition(Throwable failure) {
        metrics.failed();
        LOG.warn("A relay cycle failed and is repeated: {}", PostgresReason.of(failure));
        boolean ofRedis = failure instanceof ExecutionException;
        if (failure instanceof TimeoutException
                || (ofRedis && !(failure.getCause() instanceof RedisCommandExecutionException))) {
            return false; // Redis does not answer, so no request can write
        }
        count.incrementAndGet();
        if (ofRedis) {
            return false;
        }
        try {
            partitions.probe();
            forget();
            return true;
        } catch (Throwable e) {
            count.incrementAndGet();
            return false;
        }
    }
}
