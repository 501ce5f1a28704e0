package dev.ovation.outbox.relay;

import dev.ovation.entity.Micros;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayCall;
import dev.ovation.outbox.batch.RelayCall.CallOutcome;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.store.RelayFunction.CallResult;
import dev.ovation.store.postgres.PostgresReason;
import dev.ovation.store.shard.Shards;
import dev.ovation.trace.TraceSpan;
import dev.ovation.trace.Tracing;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionOperations;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * One relay cycle over some partitions: read, apply, publish, acknowledge. It applies by one call
 * if all is as the call expects, and otherwise by a transaction of several statements.
 */
public final class RelayCycle {

    private static final Logger LOG = LoggerFactory.getLogger(RelayCycle.class);

    private final Outboxes outboxes;
    private final @Nullable RelayCall call;
    private final RelayTransaction batch;
    private final Shards shards;
    private final TransactionOperations transactions;
    private final CommitPublisher publisher;
    private final OutboxMetrics metrics;
    private final Failpoints failpoints;
    private final Tracing tracing;

    /**
     * Creates the cycle.
     *
     * @param call null if each transaction has several statements
     */
    public RelayCycle(
            Outboxes outboxes,
            @Nullable RelayCall call,
            RelayTransaction batch,
            Shards shards,
            TransactionOperations transactions,
            CommitPublisher publisher,
            OutboxMetrics metrics,
            Failpoints failpoints,
            Tracing tracing) {
        this.outboxes = outboxes;
        this.call = call;
        this.batch = batch;
        this.shards = shards;
        this.transactions = transactions;
        this.publisher = publisher;
        this.metrics = metrics;
        this.failpoints = failpoints;
        this.tracing = tracing;
    }

    /** Returns the partitions that hold an event of an unknown schema version. */
    public Set<Integer> stopped() {
        return publisher.stopped();
    }

    /**
     * Result of a relay cycle that did not fail.
     *
     * @param committed whether Postgres was needed, and answered
     * @param more the partitions that have more to apply
     */
    public record CycleResult(boolean committed, List<Integer> more) {}

    /**
     * Runs a relay cycle.
     *
     * @param partitions those of one shard
     * @param count greatest number of entries of each partition
     * @throws Exception when Redis or Postgres fails; then no waiter and no server got a wrong
     *     message
     */
    public CycleResult run(List<Integer> partitions, int count) throws Exception {
        return shards.within(partitions, () -> cycle(partitions, count));
    }

    private CycleResult cycle(List<Integer> partitions, int count) throws Exception {
        long start = Micros.now();
        List<OutboxSlice> looks = outboxes.look(partitions, count);
        long read = Micros.now();
        failpoints.reached(Point.AFTER_READ);
        if (looks.isEmpty()) {
            return new CycleResult(false, List.of());
        }
        List<RelayTransaction.PartitionResult> results;
        try {
            results = commit(looks);
        } catch (RuntimeException e) {
            if (!DataErrors.isOfTheData(e, shards.areMany())) {
                throw e;
            }
            LOG.warn("An event cannot be stored, looking for it: {}", PostgresReason.of(e));
            results = oneByOne(looks);
            trace(results, traces(results), start, read, Micros.now());
            return new CycleResult(true, more(results));
        }
        long committed = Micros.now();
        Map<String, String> traces = traces(results);
        publisher.publish(results, traces);
        trace(results, traces, start, read, committed);
        return new CycleResult(true, more(results));
    }

    /** Returns the traces of committed events by op; none, without a look, while traces are off. */
    private Map<String, String> traces(List<RelayTransaction.PartitionResult> results) {
        if (!tracing.isOn()) {
            return Map.of();
        }
        var traces = new HashMap<String, String>();
        results.forEach(result -> result.traces(traces));
        return traces;
    }

    /** Adds a span that links to the sampled writes that the cycle has committed, if any. */
    private void trace(
            List<RelayTransaction.PartitionResult> results,
            Map<String, String> traces,
            long start,
            long read,
            long committed) {
        TraceSpan cycle = tracing.shared("relay", start, traces.values());
        if (cycle != null) {
            cycle.with("ovation.partitions", partitions(results));
            cycle.with("ovation.events", fresh(results));
            cycle.child("read", start).end(read);
            cycle.child("commit", read).end(committed);
            cycle.child("publish", committed).end();
            cycle.end();
        }
    }

    private static long partitions(List<RelayTransaction.PartitionResult> results) {
        return results.stream().map(result -> result.slice().p()).distinct().count();
    }

    private static int fresh(List<RelayTransaction.PartitionResult> results) {
        return results.stream().mapToInt(RelayTransaction.PartitionResult::fresh).sum();
    }

    private static List<Integer> more(List<RelayTransaction.PartitionResult> results) {
        return results.stream()
                .filter(result -> result.fresh() > 0 && !result.slice().whole())
                .map(result -> result.slice().p())
                .toList();
    }

    private List<RelayTransaction.PartitionResult> commit(List<OutboxSlice> looks) {
        if (call != null && hasEvents(looks)) {
            long start = System.nanoTime();
            CallOutcome outcome = tried(call, looks);
            metrics.called(outcome.result());
            if (outcome.result() == CallResult.APPLIED) {
                return committed(outcome.partitions(), start);
            }
            LOG.debug("Not applied by one call: {}", outcome.result());
        }
        return commit(looks, Map.of());
    }

    private static boolean hasEvents(List<OutboxSlice> looks) {
        return looks.stream().anyMatch(slice -> slice.last() > slice.known());
    }

    /** A failure of the server is one of the cycle, whichever way it would have taken. */
    private CallOutcome tried(RelayCall once, List<OutboxSlice> looks) {
        try {
            failpoints.reached(Point.BEFORE_CALL);
            return once.apply(looks);
        } catch (RuntimeException e) {
            if (!DataErrors.isOfTheData(e, shards.areMany())) {
                throw e;
            }
            LOG.debug("One call cannot store an event", e);
            return new CallOutcome(CallResult.DATA, List.of());
        }
    }

    private List<RelayTransaction.PartitionResult> commit(
            List<OutboxSlice> looks, Map<String, String> poison) {
        long start = System.nanoTime();
        if (shards.areMany()) {
            // On all nodes, so not within a transaction of one.
            transactions.executeWithoutResult(_ -> batch.number(looks, poison.keySet()));
        }
        return committed(
                Objects.requireNonNull(transactions.execute(_ -> apply(looks, poison))), start);
    }

    private List<RelayTransaction.PartitionResult> committed(
            List<RelayTransaction.PartitionResult> results, long start) {
        failpoints.reached(Point.AFTER_COMMIT);
        int applied = fresh(results);
        if (applied > 0) {
            metrics.batch(applied, System.nanoTime() - start);
        }
        return results;
    }

    private List<RelayTransaction.PartitionResult> apply(
            List<OutboxSlice> looks, Map<String, String> poison) {
        var results = batch.apply(looks, poison);
        failpoints.reached(Point.BEFORE_COMMIT);
        return results;
    }

    /** Applies and publishes event by event, so that only the poison events are rejected. */
    private List<RelayTransaction.PartitionResult> oneByOne(List<OutboxSlice> looks) {
        var results = new ArrayList<RelayTransaction.PartitionResult>();
        for (OutboxSlice slice : looks) {
            for (OutboxSlice.OutboxEntry entry : slice.entries()) {
                if (entry.seq() > slice.known()) {
                    results.addAll(alone(slice.until(entry.seq()), entry));
                }
            }
        }
        return results;
    }

    private List<RelayTransaction.PartitionResult> alone(
            OutboxSlice slice, OutboxSlice.OutboxEntry entry) {
        List<RelayTransaction.PartitionResult> results;
        try {
            results = commit(List.of(slice), Map.of());
        } catch (RuntimeException e) {
            if (!DataErrors.isOfTheData(e, shards.areMany())) {
                throw e;
            }
            LOG.error(
                    "Event {} of partition {} is rejected: {}",
                    entry.seq(),
                    slice.p(),
                    PostgresReason.of(e));
            LOG.debug("The same with its messages", e);
            results = commit(List.of(slice), Map.of(entry.op(), "poison"));
        }
        publisher.publish(results, traces(results));
        return results;
    }
}
