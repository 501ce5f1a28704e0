package dev.ovation.outbox;

import dev.ovation.hot.Failpoints;
import dev.ovation.hot.Failpoints.Point;
import dev.ovation.outbox.batch.Batch;
import dev.ovation.outbox.batch.Look;
import dev.ovation.store.PostgresReason;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionOperations;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** One pass of the relay over some partitions: look, apply, tell those who wait, acknowledge. */
final class Pass {

    private static final Logger LOG = LoggerFactory.getLogger(Pass.class);

    private final Outboxes outboxes;
    private final Batch batch;
    private final TransactionOperations transactions;
    private final Telling telling;
    private final OutboxMetrics metrics;
    private final Failpoints failpoints;

    Pass(
            Outboxes outboxes,
            Batch batch,
            TransactionOperations transactions,
            Telling telling,
            OutboxMetrics metrics,
            Failpoints failpoints) {
        this.outboxes = outboxes;
        this.batch = batch;
        this.transactions = transactions;
        this.telling = telling;
        this.metrics = metrics;
        this.failpoints = failpoints;
    }

    /** Returns the partitions that hold an event of a form that this program does not know. */
    Set<Integer> stopped() {
        return telling.stopped();
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
            LOG.warn("An event cannot be stored, looking for it: {}", PostgresReason.of(e));
            return new Outcome(true, more(oneByOne(looks)));
        }
        telling.tell(results);
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
            LOG.error(
                    "Event {} of partition {} is rejected: {}",
                    entry.seq(),
                    look.p(),
                    PostgresReason.of(e));
            LOG.debug("The same with its messages", e);
            results = commit(List.of(look), Map.of(entry.op(), "poison"));
        }
        telling.tell(results);
        return results;
    }
}
