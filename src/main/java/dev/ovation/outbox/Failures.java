package dev.ovation.outbox;

import dev.ovation.store.PartitionTable;
import dev.ovation.store.PostgresReason;

import io.lettuce.core.RedisCommandExecutionException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The failures of passes to get to Postgres since one succeeded, and whose fault they are. */
final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final int TOO_MANY = 2;

    private final PartitionTable partitions;
    private final OutboxMetrics metrics;
    private final AtomicInteger count = new AtomicInteger();

    Failures(PartitionTable partitions, OutboxMetrics metrics) {
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
     * Takes in that a pass failed.
     *
     * @return whether that is because of a partition: Redis answered, and Postgres takes a write
     */
    boolean isOfAPartition(Throwable failure) {
        metrics.failed();
        LOG.warn("A relay pass failed and is repeated: {}", PostgresReason.of(failure));
        boolean ofRedis = failure instanceof ExecutionException;
        if (failure instanceof TimeoutException
                || (ofRedis && !(failure.getCause() instanceof RedisCommandExecutionException))) {
            return false; // it does not answer, and nobody writes anyway
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
