package dev.ovation.store.replica;

import dev.ovation.store.postgres.PostgresBulkhead;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.function.Function;

/** Reads from the replica where one is named and new enough, otherwise from the primary. */
public final class ReplicaReads {

    private final JdbcTemplate primary;
    private final TransactionTemplate snapshot;
    private final PostgresBulkhead gate;
    private final @Nullable Replica replica;
    private final ReplicaMetrics metrics;

    ReplicaReads(
            JdbcTemplate primary,
            PlatformTransactionManager transactions,
            PostgresBulkhead gate,
            @Nullable Replica replica,
            ReplicaMetrics metrics) {
        this.primary = primary;
        this.snapshot = new TransactionTemplate(transactions);
        this.snapshot.setReadOnly(true);
        this.snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        this.gate = gate;
        this.replica = replica;
        this.metrics = metrics;
    }

    /** Returns a reader of both servers; {@code make} creates its statements for each. */
    public <R> ReplicaReader<R> reader(ReadKind kind, Function<JdbcTemplate, R> make) {
        return new ReplicaReader<>(
                kind,
                make.apply(primary),
                snapshot,
                gate,
                replica,
                replica == null ? null : make.apply(replica.jdbc()),
                metrics);
    }

    /**
     * Returns the position of a read that must include all that is committed now; null without a
     * replica.
     */
    public @Nullable ReplicaPosition position() {
        return replica == null ? null : replica.beats().position();
    }

    /**
     * Returns the same position, and waits a short time until the replica includes it, so that a
     * long read need not begin on the primary.
     */
    public @Nullable ReplicaPosition awaitPosition() {
        return replica == null ? null : replica.awaitPosition();
    }
}
