package dev.ovation.outbox;

import dev.ovation.entity.Micros;
import dev.ovation.hot.Event;
import dev.ovation.hot.Failpoints;
import dev.ovation.hot.Failpoints.Point;
import dev.ovation.hot.Fences;
import dev.ovation.hot.RedisUnavailableException;
import dev.ovation.outbox.Cursors.Position;
import dev.ovation.outbox.Look.Finding;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionOperations;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One pass of the relay over some partitions: look, apply, tell those who wait, acknowledge. */
final class Pass {

    private static final Logger LOG = LoggerFactory.getLogger(Pass.class);

    private final Outboxes outboxes;
    private final Batch batch;
    private final TransactionOperations transactions;
    private final Cursors cursors;
    private final Fences fences;
    private final Recovery recovery;
    private final NewsChannel news;
    private final OutboxMetrics metrics;
    private final Failpoints failpoints;
    private final Map<Integer, Position> stopped = new ConcurrentHashMap<>();

    Pass(
            Outboxes outboxes,
            Batch batch,
            TransactionOperations transactions,
            Cursors cursors,
            Fences fences,
            Recovery recovery,
            NewsChannel news,
            OutboxMetrics metrics,
            Failpoints failpoints) {
        this.outboxes = outboxes;
        this.batch = batch;
        this.transactions = transactions;
        this.cursors = cursors;
        this.fences = fences;
        this.recovery = recovery;
        this.news = news;
        this.metrics = metrics;
        this.failpoints = failpoints;
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

    /**
     * How a pass went that did not fail.
     *
     * @param committed whether Postgres was needed, and answered
     * @param more the partitions that have more to apply
     */
    record Outcome(boolean committed, List<Integer> more) {}

    /**
     * Runs a pass.
     *
     * @param count entries of each partition at most
     * @throws Exception when Redis or Postgres fails; then nobody was told anything that is not so
     */
    Outcome run(List<Integer> partitions, int count) throws Exception {
        List<Look> looks = outboxes.look(partitions, count);
        failpoints.reached(Point.AFTER_READ);
        if (looks.isEmpty()) {
            return new Outcome(false, List.of());
        }
        List<Batch.Result> results;
        try {
            results = commit(looks, Map.of());
        } catch (RuntimeException e) {
            if (!Fault.isOfTheData(e)) {
                throw e;
            }
            LOG.warn("An event cannot be stored, looking for it: {}", e.getMessage());
            return new Outcome(true, more(oneByOne(looks)));
        }
        tell(results);
        return new Outcome(true, more(results));
    }

    private static List<Integer> more(List<Batch.Result> results) {
        return results.stream()
                .filter(result -> result.fresh() > 0 && !result.look().whole())
                .map(result -> result.look().p())
                .toList();
    }

    private List<Batch.Result> commit(List<Look> looks, Map<String, String> poison) {
        long start = System.nanoTime();
        List<Batch.Result> results =
                Objects.requireNonNull(transactions.execute(_ -> apply(looks, poison)));
        failpoints.reached(Point.AFTER_COMMIT);
        int applied = results.stream().mapToInt(Batch.Result::fresh).sum();
        if (applied > 0) {
            metrics.batch(applied, System.nanoTime() - start);
        }
        return results;
    }

    private List<Batch.Result> apply(List<Look> looks, Map<String, String> poison) {
        var results = batch.apply(looks, poison);
        failpoints.reached(Point.BEFORE_COMMIT);
        return results;
    }

    /** Applies event by event, so that only those are rejected that cannot be stored. */
    private List<Batch.Result> oneByOne(List<Look> looks) {
        var results = new ArrayList<Batch.Result>();
        for (Look look : looks) {
            for (Look.Entry entry : look.entries()) {
                if (entry.seq() > look.known()) {
                    results.addAll(alone(look.until(entry.seq()), entry));
                }
            }
        }
        return results;
    }

    private List<Batch.Result> alone(Look look, Look.Entry entry) {
        List<Batch.Result> results;
        try {
            results = commit(List.of(look), Map.of());
        } catch (RuntimeException e) {
            if (!Fault.isOfTheData(e)) {
                throw e;
            }
            LOG.error("Event {} of partition {} is rejected", entry.seq(), look.p(), e);
            results = commit(List.of(look), Map.of(entry.op(), "poison"));
        }
        tell(results);
        return results;
    }

    /** Takes in what a committed batch says, here, in Redis and on the other instances. */
    void tell(List<Batch.Result> results) {
        var continued = new ArrayList<Batch.Result>();
        for (var result : results) {
            int p = result.look().p();
            switch (result.finding()) {
                case Finding.Superseded _ -> fences.lose(p, result.look().fence());
                case Finding.OtherPast other ->
                        recovery.endEpoch(p, result.look().fence(), other.reason());
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
            continued.forEach(this::acknowledge);
            news.publish(continued.stream().filter(Pass::isAllApplied).toList());
        } catch (RedisUnavailableException e) {
            LOG.debug("Committed, but Redis does not know yet; the sweep will tell it");
            continued.forEach(this::advance);
        }
    }

    /**
     * Who waits for a rejected event tries again as soon as it is told: so it is told only after
     * the state on which the next try would be doomed as well is gone from Redis.
     */
    private void acknowledge(Batch.Result result) {
        var acknowledged = outboxes.acknowledge(result);
        if (!isAllApplied(result)) {
            var _ =
                    acknowledged.whenComplete(
                            (_, _) -> {
                                advance(result);
                                news.publish(List.of(result));
                            });
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
