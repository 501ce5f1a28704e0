package dev.ovation.outbox;

import dev.ovation.entity.Reasons;
import dev.ovation.outbox.recovery.Recovery;
import dev.ovation.outbox.relay.Relay;
import dev.ovation.outbox.watermark.Watermarks;
import dev.ovation.outbox.watermark.Watermarks.WatermarkPosition;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.postgres.PostgresReason;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Checks every second whether Postgres answers, and reads the rows of the partitions. */
public class PostgresWatch {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresWatch.class);

    private final PartitionTable partitions;
    private final Shards shards;
    private final ChangeLog log;
    private final Watermarks watermarks;
    private final Recovery recovery;
    private final Relay relay;
    private final Reasons reasons = new Reasons();
    private volatile @Nullable Instant downSince;

    PostgresWatch(
            PartitionTable partitions,
            Shards shards,
            ChangeLog log,
            Watermarks watermarks,
            Recovery recovery,
            Relay relay) {
        this.partitions = partitions;
        this.shards = shards;
        this.log = log;
        this.watermarks = watermarks;
        this.recovery = recovery;
        this.relay = relay;
    }

    /** Returns the start of the outage of Postgres; empty while it answers. */
    public Optional<Instant> downSince() {
        return Optional.ofNullable(downSince);
    }

    /** Returns the reason of the outage of Postgres; empty while it answers. */
    public Optional<String> downBecause() {
        return reasons.newest();
    }

    @Scheduled(fixedDelay = 1000)
    void look() {
        try {
            var before = watermarks.positions();
            List<PartitionRow> rows = partitions.all();
            if (shards.areMany()) {
                shards.read(rows.size());
            }
            log.note(rows);
            recovery.compare(before, settled(before, rows));
            relay.postgresAnswers();
            if (downSince != null) {
                LOG.info("Postgres answers again");
                downSince = null;
            }
            reasons.clear();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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

    /**
     * Returns the rows to compare. On a Citus a node may not show a commit that is decided: then
     * its row is behind, and nothing was restored. The rows are read again when no such commit is
     * left; before, those that are behind are left out.
     */
    private List<PartitionRow> settled(List<WatermarkPosition> before, List<PartitionRow> rows)
            throws InterruptedException {
        if (!shards.areMany()
                || rows.stream().noneMatch(row -> before.get(row.p()).isAheadOf(row))) {
            return rows;
        }
        return shards.awaitCommits()
                ? partitions.all()
                : rows.stream().filter(row -> !before.get(row.p()).isAheadOf(row)).toList();
    }
}
