package dev.ovation.outbox;

import dev.ovation.outbox.cursor.Cursors;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.SqlFailures;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Asks Postgres every second how it is and where the partitions stand; forgets what is too old. */
public class PostgresWatch {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresWatch.class);
    private static final int FORGET = 5000;
    private static final Duration KEEP_REJECTED = Duration.ofDays(7);

    private final PartitionTable partitions;
    private final IdempotencyTable idempotency;
    private final RejectedEvents rejections;
    private final Cursors cursors;
    private final Recovery recovery;
    private final Relay relay;
    private final Duration keepAnswers;
    private volatile @Nullable Instant downSince;

    PostgresWatch(
            PartitionTable partitions,
            IdempotencyTable idempotency,
            RejectedEvents rejections,
            Cursors cursors,
            Recovery recovery,
            Relay relay,
            OutboxSettings settings) {
        this.partitions = partitions;
        this.idempotency = idempotency;
        this.rejections = rejections;
        this.cursors = cursors;
        this.recovery = recovery;
        this.relay = relay;
        this.keepAnswers = settings.keepAnswers();
    }

    /** Returns since when Postgres does not answer; empty while it does. */
    public Optional<Instant> downSince() {
        return Optional.ofNullable(downSince);
    }

    @Scheduled(fixedDelay = 1000)
    void look() {
        try {
            var before = cursors.positions();
            recovery.compare(before, partitions.all());
            relay.postgresAnswers();
            if (downSince != null) {
                LOG.info("Postgres answers again");
                downSince = null;
            }
        } catch (RuntimeException e) {
            if (downSince == null) {
                LOG.warn("Postgres does not answer: {}", SqlFailures.name(e));
                downSince = Instant.now();
            }
        }
    }

    @Scheduled(fixedDelay = 600_000, initialDelay = 60_000)
    void forget() {
        try {
            // A little at a time: no transaction may take long.
            while (idempotency.deleteOlderThan(keepAnswers, FORGET) == FORGET) {
                LOG.debug("Forgot {} answers", FORGET);
            }
            while (rejections.deleteOlderThan(KEEP_REJECTED, FORGET) == FORGET) {
                LOG.debug("Forgot {} rejected events", FORGET);
            }
        } catch (RuntimeException e) {
            LOG.warn("Old answers stay for now: {}", SqlFailures.name(e));
        }
    }
}
