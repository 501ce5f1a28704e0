package dev.ovation.outbox;

import dev.ovation.entity.Reasons;
import dev.ovation.outbox.cursor.Cursors;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.PostgresReason;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Instant;
import java.util.Optional;

/** Asks Postgres every second how it is and where the partitions stand. */
public class PostgresWatch {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresWatch.class);

    private final PartitionTable partitions;
    private final Cursors cursors;
    private final Recovery recovery;
    private final Relay relay;
    private final Reasons reasons = new Reasons();
    private volatile @Nullable Instant downSince;

    PostgresWatch(PartitionTable partitions, Cursors cursors, Recovery recovery, Relay relay) {
        this.partitions = partitions;
        this.cursors = cursors;
        this.recovery = recovery;
        this.relay = relay;
    }

    /** Returns since when Postgres does not answer; empty while it does. */
    public Optional<Instant> downSince() {
        return Optional.ofNullable(downSince);
    }

    /** Returns why Postgres does not answer; empty while it does. */
    public Optional<String> downBecause() {
        return reasons.newest();
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
            reasons.clear();
        } catch (RuntimeException e) {
            String reason = PostgresReason.of(e);
            if (downSince == null) {
                downSince = Instant.now();
            }
            if (reasons.add(reason)) {
                LOG.warn("Postgres does not answer: {}", reason);
            }
        }
    }
}
