package dev.ovation.store.replica;

import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.replica.Replica.ReplicaAnswer;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads of one kind, each from one snapshot. What a caller reads from the replica may lack commits
 * of the time that the setting allows, its own included; a later read may show an older state.
 *
 * @param <R> statements on one server
 */
public final class ReplicaReader<R> {

    private final ReadKind kind;
    private final R onPrimary;
    private final TransactionTemplate snapshot;
    private final PostgresBulkhead gate;
    private final @Nullable Replica replica;
    private final @Nullable R onReplica;
    private final ReplicaMetrics metrics;

    ReplicaReader(
            ReadKind kind,
            R onPrimary,
            TransactionTemplate snapshot,
            PostgresBulkhead gate,
            @Nullable Replica replica,
            @Nullable R onReplica,
            ReplicaMetrics metrics) {
        this.kind = kind;
        this.onPrimary = onPrimary;
        this.snapshot = snapshot;
        this.gate = gate;
        this.replica = replica;
        this.onReplica = onReplica;
        this.metrics = metrics;
    }

    /** Returns whether a replica is named. */
    public boolean hasReplica() {
        return replica != null;
    }

    /**
     * Reads from the primary, and so all that is committed.
     *
     * @throws PostgresBulkhead.BusyException when too many requests wait
     */
    public <T> T newest(Function<R, T> question) {
        return primary(question, ReadCause.OWN);
    }

    /**
     * Reads from the replica, or from the primary when the replica cannot answer.
     *
     * @param from what the answer must include beyond the greatest age; null for nothing more
     * @throws PostgresBulkhead.BusyException when too many requests wait for the primary
     */
    public <T> T recent(@Nullable ReplicaPosition from, Function<R, T> question) {
        ReplicaAnswer<T> answer = ask(from, true, question);
        T value = answer.value();
        if (value != null) {
            metrics.count(kind, null);
            return value;
        }
        return primary(question, Objects.requireNonNull(answer.refused()));
    }

    private <T> T primary(Function<R, T> question, ReadCause cause) {
        if (replica != null) {
            metrics.count(kind, cause);
        }
        return gate.ask(
                () -> Objects.requireNonNull(snapshot.execute(_ -> question.apply(onPrimary))));
    }

    /**
     * Reads from the replica alone, without a turn among requests.
     *
     * @param question returns an empty result when the primary has to answer
     * @return empty when the caller has to read the primary
     */
    public <T> Optional<T> settled(
            @Nullable ReplicaPosition from, Function<R, Optional<T>> question) {
        ReplicaAnswer<Optional<T>> answer = ask(from, false, question);
        Optional<T> value = answer.value();
        if (replica != null) {
            boolean isUnsettled = value != null && value.isEmpty();
            metrics.count(kind, isUnsettled ? ReadCause.UNSETTLED : answer.refused());
        }
        return value == null ? Optional.empty() : value;
    }

    private <T> ReplicaAnswer<T> ask(
            @Nullable ReplicaPosition from, boolean bounded, Function<R, T> question) {
        R statements = onReplica;
        return replica == null || statements == null
                ? new ReplicaAnswer<>(ReadCause.STALE, null)
                : replica.ask(from, bounded, () -> question.apply(statements));
    }
}
