package dev.ovation.outbox.relay;

import dev.ovation.entity.Micros;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.batch.Inbox;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.watermark.Watermarks;
import dev.ovation.outbox.watermark.Watermarks.WatermarkPosition;
import dev.ovation.trace.TraceSpan;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Publishes committed results of the relay to waiters, then to Redis, then to other instances. With
 * rejected events Redis comes first.
 */
public final class CommitPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(CommitPublisher.class);

    private final Fences fences;
    private final Watermarks watermarks;
    private final Inbox inbox;
    private final EpochEnd epochEnd;
    private final Acknowledger acknowledgements;
    private final UpdatePublisher updates;
    private final OutboxMetrics metrics;
    private final Failpoints failpoints;
    private final Map<Integer, WatermarkPosition> stopped = new ConcurrentHashMap<>();

    /**
     * Creates the publisher.
     *
     * @param epochEnd ends an epoch whose outbox does not continue what Postgres has applied
     */
    public CommitPublisher(
            Fences fences,
            Watermarks watermarks,
            Inbox inbox,
            EpochEnd epochEnd,
            Acknowledger acknowledgements,
            UpdatePublisher updates,
            OutboxMetrics metrics,
            Failpoints failpoints) {
        this.fences = fences;
        this.watermarks = watermarks;
        this.inbox = inbox;
        this.epochEnd = epochEnd;
        this.acknowledgements = acknowledgements;
        this.updates = updates;
        this.metrics = metrics;
        this.failpoints = failpoints;
    }

    /** Acknowledges committed results to Redis. */
    public interface Acknowledger {

        /** Returns a future for each result, which completes with whether the fence held. */
        List<CompletableFuture<Boolean>> acknowledge(
                List<RelayTransaction.PartitionResult> results);
    }

    /** Publishes watermarks to the other instances. */
    public interface UpdatePublisher {
        void publish(List<RelayTransaction.PartitionResult> results);
    }

    /** Ends an epoch for a reason. */
    public interface EpochEnd {
        void end(int p, Fence fence, String reason);
    }

    /** Returns the partitions that hold an event of an unknown schema version. */
    Set<Integer> stopped() {
        stopped.entrySet().removeIf(one -> isPast(one.getKey(), one.getValue()));
        return Set.copyOf(stopped.keySet());
    }

    /**
     * Another instance that knows the schema version has applied the event, or its epoch has ended.
     */
    private boolean isPast(int p, WatermarkPosition event) {
        var position = watermarks.position(p);
        return position.epoch() != event.epoch() || position.applied() >= event.applied();
    }

    /** Publishes committed results without traces. */
    public void publish(List<RelayTransaction.PartitionResult> results) {
        publish(results, Map.of());
    }

    /**
     * Publishes committed results.
     *
     * @param traces the {@code traceparent} of events whose requests are sampled, by op
     */
    void publish(List<RelayTransaction.PartitionResult> results, Map<String, String> traces) {
        var continued = new ArrayList<RelayTransaction.PartitionResult>();
        for (var result : results) {
            int p = result.slice().p();
            switch (result.finding()) {
                case ContinuityCheck.Superseded _ -> fences.lose(p, result.slice().fence());
                case ContinuityCheck.OtherPast other ->
                        epochEnd.end(p, result.slice().fence(), other.reason());
                case ContinuityCheck.Contradicted _ -> inbox.forget(p);
                case ContinuityCheck.UnknownSchema unknown -> {
                    var event =
                            new WatermarkPosition(result.slice().fence().epoch(), unknown.seq());
                    if (!event.equals(stopped.put(p, event))) {
                        LOG.error(
                                "Partition {} stops at event {}: its schema {} is unknown",
                                p,
                                unknown.seq(),
                                unknown.schema());
                    }
                }
                case ContinuityCheck.Continues _ -> {
                    continued.add(result);
                    enterApplied(result);
                    if (isAllApplied(result)) {
                        advance(result);
                    }
                    measure(result, traces);
                }
            }
        }
        if (continued.isEmpty()) {
            return;
        }
        failpoints.reached(Point.BEFORE_ACK);
        try {
            acknowledge(continued);
            updates.publish(continued.stream().filter(CommitPublisher::isAllApplied).toList());
        } catch (RedisUnavailableException e) {
            LOG.debug("Committed without an acknowledgement to Redis; the sweep repeats it");
            continued.forEach(this::advance);
        }
    }

    /**
     * A waiter of a rejected event tries again as soon as it has the verdict. Therefore it gets the
     * verdict only after Redis has dropped the state on which the next try would be rejected as
     * well.
     */
    private void acknowledge(List<RelayTransaction.PartitionResult> results) {
        var acknowledged = acknowledgements.acknowledge(results);
        for (int i = 0; i < results.size(); i++) {
            var result = results.get(i);
            if (!isAllApplied(result)) {
                var _ =
                        acknowledged
                                .get(i)
                                .whenComplete(
                                        (_, _) -> {
                                            advance(result);
                                            updates.publish(List.of(result));
                                        });
            }
        }
    }

    private static boolean isAllApplied(RelayTransaction.PartitionResult result) {
        return result.rejected().isEmpty();
    }

    /**
     * Records the watermark, so that own events that follow may be applied without a read of the
     * outbox.
     */
    private void enterApplied(RelayTransaction.PartitionResult result) {
        var slice = result.slice();
        slice.entries().stream()
                .filter(entry -> entry.seq() == result.to())
                .forEach(
                        entry ->
                                inbox.applied(
                                        slice.p(), slice.fence().epoch(), entry.seq(), entry.op()));
    }

    private void advance(RelayTransaction.PartitionResult result) {
        var slice = result.slice();
        watermarks.advance(
                slice.p(), slice.fence().epoch(), slice.known(), result.to(), result.rejected());
    }

    private void measure(RelayTransaction.PartitionResult result, Map<String, String> traces) {
        if (!result.reasons().isEmpty()) {
            result.reasons().forEach(metrics::rejected);
            LOG.warn("Events of partition {} rejected: {}", result.slice().p(), result.reasons());
        }
        long time = Micros.now();
        for (Event event : result.events()) {
            if (result.hasApplied(event.seq())) {
                String trace = traces.isEmpty() ? null : traces.get(event.op());
                try (var _ = TraceSpan.enteredRemote(trace)) {
                    metrics.committed(time - event.at());
                }
            }
        }
    }
}
