package dev.ovation.outbox;

import dev.ovation.entity.Micros;
import dev.ovation.hot.Event;
import dev.ovation.hot.Failpoints;
import dev.ovation.hot.Failpoints.Point;
import dev.ovation.hot.Fence;
import dev.ovation.hot.Fences;
import dev.ovation.hot.RedisUnavailableException;
import dev.ovation.outbox.batch.Batch;
import dev.ovation.outbox.batch.Look.Finding;
import dev.ovation.outbox.cursor.Cursors;
import dev.ovation.outbox.cursor.Cursors.Position;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Who is told what, and in which order, once a transaction of the relay is committed. */
final class Telling {

    private static final Logger LOG = LoggerFactory.getLogger(Telling.class);

    private final Fences fences;
    private final Cursors cursors;
    private final EpochEnd epochEnd;
    private final Function<List<Batch.Result>, List<CompletableFuture<Boolean>>> acknowledge;
    private final Consumer<List<Batch.Result>> publish;
    private final OutboxMetrics metrics;
    private final Failpoints failpoints;
    private final Map<Integer, Position> stopped = new ConcurrentHashMap<>();

    /**
     * Prepares.
     *
     * @param epochEnd ends an epoch whose outbox has another past
     * @param acknowledge tells Redis, and says of each result, in their order, when it knows
     * @param publish tells the other instances
     */
    Telling(
            Fences fences,
            Cursors cursors,
            EpochEnd epochEnd,
            Function<List<Batch.Result>, List<CompletableFuture<Boolean>>> acknowledge,
            Consumer<List<Batch.Result>> publish,
            OutboxMetrics metrics,
            Failpoints failpoints) {
        this.fences = fences;
        this.cursors = cursors;
        this.epochEnd = epochEnd;
        this.acknowledge = acknowledge;
        this.publish = publish;
        this.metrics = metrics;
        this.failpoints = failpoints;
    }

    /** Ends an epoch, and says why. */
    interface EpochEnd {
        void end(int p, Fence fence, String reason);
    }

    /** Returns the partitions that hold an event of a form that this program does not know. */
    Set<Integer> stopped() {
        stopped.entrySet().removeIf(one -> isPast(one.getKey(), one.getValue()));
        return Set.copyOf(stopped.keySet());
    }

    /** Somebody who knows the form has applied the event, or its epoch has ended. */
    private boolean isPast(int p, Position event) {
        var position = cursors.position(p);
        return position.epoch() != event.epoch() || position.applied() >= event.applied();
    }

    /** Tells of committed results. */
    void tell(List<Batch.Result> results) {
        var continued = new ArrayList<Batch.Result>();
        for (var result : results) {
            int p = result.look().p();
            switch (result.finding()) {
                case Finding.Superseded _ -> fences.lose(p, result.look().fence());
                case Finding.OtherPast other ->
                        epochEnd.end(p, result.look().fence(), other.reason());
                case Finding.UnknownSchema unknown -> {
                    var event = new Position(result.look().fence().epoch(), unknown.seq());
                    if (!event.equals(stopped.put(p, event))) {
                        LOG.error(
                                "Partition {} stops at event {}: its form {} is not known here",
                                p,
                                unknown.seq(),
                                unknown.schema());
                    }
                }
                case Finding.Continues _ -> {
                    continued.add(result);
                    if (isAllApplied(result)) {
                        advance(result);
                    }
                    measure(result);
                }
            }
        }
        if (continued.isEmpty()) {
            return;
        }
        failpoints.reached(Point.BEFORE_ACK);
        try {
            acknowledge(continued);
            publish.accept(continued.stream().filter(Telling::isAllApplied).toList());
        } catch (RedisUnavailableException e) {
            LOG.debug("Committed, but Redis does not know yet; the sweep will tell it");
            continued.forEach(this::advance);
        }
    }

    /**
     * Who waits for a rejected event tries again as soon as it is told: so it is told only after
     * the state on which the next try would be doomed as well is gone from Redis.
     */
    private void acknowledge(List<Batch.Result> results) {
        var acknowledged = acknowledge.apply(results);
        for (int i = 0; i < results.size(); i++) {
            var result = results.get(i);
            if (!isAllApplied(result)) {
                var _ =
                        acknowledged
                                .get(i)
                                .whenComplete(
                                        (_, _) -> {
                                            advance(result);
                                            publish.accept(List.of(result));
                                        });
            }
        }
    }

    private static boolean isAllApplied(Batch.Result result) {
        return result.rejected().isEmpty();
    }

    private void advance(Batch.Result result) {
        var look = result.look();
        cursors.advance(
                look.p(), look.fence().epoch(), look.known(), result.to(), result.rejected());
    }

    private void measure(Batch.Result result) {
        if (!result.reasons().isEmpty()) {
            result.reasons().forEach(metrics::rejected);
            LOG.warn("Events of partition {} rejected: {}", result.look().p(), result.reasons());
        }
        long time = Micros.now();
        for (Event event : result.events()) {
            boolean now = event.seq() > result.to() - result.fresh();
            if (now && !result.rejected().contains(event.seq())) {
                metrics.committed(time - event.at());
            }
        }
    }
}
