package dev.ovation.outbox;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.recovery.Recovery;
import dev.ovation.outbox.relay.CommitPublisher;
import dev.ovation.outbox.relay.OutboxSettings;
import dev.ovation.outbox.relay.Outboxes;
import dev.ovation.outbox.relay.Outboxes.OutboxLag;
import dev.ovation.outbox.relay.RelayCycle;
import dev.ovation.outbox.watermark.WatermarkTopic;
import dev.ovation.store.EntityTable;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionOperations;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Exclusive changes of entity rows by other code than the relay. One transaction locks the row of
 * the partition, applies the events of its outbox, and makes the change. After the commit, the
 * change is acknowledged to Redis. The relay rejects events that were proposed on the state before,
 * and their waiting requests try again.
 */
public final class PartitionTransactions {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionTransactions.class);
    private static final long PAUSE_MILLIS = 2;

    private final Outboxes outboxes;
    private final RelayTransaction batch;
    private final RelayCycle cycle;
    private final CommitPublisher publisher;
    private final WatermarkTopic topic;
    private final Recovery recovery;
    private final EntityTable entities;
    private final PartitionTable partitions;
    private final Shards shards;
    private final TransactionOperations transactions;
    private final Failpoints failpoints;
    private final int count;
    private final long leap;
    private final long patienceNanos;

    PartitionTransactions(
            Outboxes outboxes,
            RelayTransaction batch,
            RelayCycle cycle,
            CommitPublisher publisher,
            WatermarkTopic topic,
            Recovery recovery,
            EntityTable entities,
            PartitionTable partitions,
            Shards shards,
            TransactionOperations transactions,
            Failpoints failpoints,
            OutboxSettings settings,
            HotSettings hot) {
        this.outboxes = outboxes;
        this.batch = batch;
        this.cycle = cycle;
        this.publisher = publisher;
        this.topic = topic;
        this.recovery = recovery;
        this.entities = entities;
        this.partitions = partitions;
        this.shards = shards;
        this.transactions = transactions;
        this.failpoints = failpoints;
        this.count = settings.batch() + 1;
        this.leap = hot.outboxCap() + 1L;
        this.patienceNanos = hot.commandTimeout().toNanos() * 2;
    }

    /**
     * Returns the version gap: the increment of an entity's stored version at a change. The gap
     * exceeds the capacity of an outbox. Therefore the new version is greater than each version
     * that was shown of a state proposed on the stored one, and no version names two states.
     */
    public long leap() {
        return leap;
    }

    /** An entity with a new state, and the op that identifies this state. */
    public record Changed(EntityKey key, String op) {}

    private record ExclusiveResult(RelayTransaction.PartitionResult result, List<Changed> changed) {
        boolean isDrained() {
            return result.finding() instanceof ContinuityCheck.Continues && result.slice().whole();
        }
    }

    /**
     * Executes a change in a partition.
     *
     * @param change runs within the transaction, under the lock, after all proposed events; returns
     *     the entities that it changed, each with its new op in Postgres
     * @return false when the partition is not available now: then this call changed nothing
     * @throws RedisUnavailableException when nothing was changed because Redis does not answer
     * @throws UnsettledException when the change is made, and reads may still show the state before
     * @throws IllegalStateException when the change breaks a constraint; nothing was changed
     * @throws RuntimeException when Postgres fails; nothing was changed unless the commit failed
     */
    public boolean execute(int p, Supplier<List<Changed>> change) throws InterruptedException {
        return shards.within(List.of(p), () -> executed(p, change));
    }

    private boolean executed(int p, Supplier<List<Changed>> change) throws InterruptedException {
        ExclusiveResult done;
        try {
            // First as the relay, which handles events that cannot be applied.
            cycle.run(List.of(p), count);
            List<OutboxSlice> looks = outboxes.see(List.of(p), count);
            done = looks.isEmpty() ? null : transactions.execute(_ -> apply(looks, change));
        } catch (DataIntegrityViolationException e) {
            LOG.debug("An event cannot be applied now; the relay rejects it", e);
            return false;
        } catch (RuntimeException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new RedisUnavailableException("Redis does not answer: " + e);
        }
        if (done == null) {
            return false;
        }
        failpoints.reached(Point.AFTER_COMMIT);
        if (isVisible(done)) {
            publisher.publish(List.of(done.result()));
            announce(done);
            acknowledge(done);
            if (!done.changed().isEmpty()) {
                awaitJudged(done);
            }
        } else {
            // Nothing is published: an instance that sees the row behind its watermark ends all
            // epochs, and entities that are acknowledged to Redis may be loaded anew.
            var slice = done.result().slice();
            recovery.endEpoch(slice.p(), slice.fence(), "a node has yet to commit a change");
            if (!done.isDrained()) {
                return false;
            }
            awaitJudged(done);
            announce(done);
        }
        return done.isDrained();
    }

    /**
     * Returns whether reads show what the transaction has changed. A commit on two nodes may be
     * decided before the node of the partition knows: then loads would bring the state before to
     * Redis. Until that node knows, it holds the row of the partition, and therefore no new epoch
     * begins.
     */
    private boolean isVisible(ExclusiveResult done) {
        boolean changed = !done.changed().isEmpty() || done.result().fresh() > 0;
        if (!changed || !shards.areMany()) {
            return true;
        }
        try {
            transactions.executeWithoutResult(
                    _ -> {
                        shards.setLocal("lock_timeout = " + patienceNanos / 1_000_000);
                        partitions.await(done.result().slice().p());
                    });
            return true;
        } catch (RuntimeException e) {
            LOG.debug("The node of the partition has not committed, or does not answer", e);
            return false;
        }
    }

    private void announce(ExclusiveResult done) {
        if (!done.changed().isEmpty()) {
            try {
                topic.publishChanged(
                        done.result(), done.changed().stream().map(Changed::key).toList());
            } catch (RedisUnavailableException e) {
                LOG.debug("Committed, but Redis does not announce it now");
            }
        }
    }

    /**
     * Acknowledges to Redis, and announces, the states that entities of a partition have in
     * Postgres, when this is not certain of their change. The call is idempotent. A caller reports
     * an unsettled change as made only after this call has returned true.
     *
     * @return false, and exceptions, as above: then Redis may lack the acknowledgement
     */
    public boolean acknowledgeAgain(int p, Collection<EntityKey> keys) throws InterruptedException {
        return execute(
                p,
                () -> {
                    var heads = entities.heads(keys);
                    return keys.stream().map(key -> new Changed(key, op(heads.get(key)))).toList();
                });
    }

    /** Without a row returns a new op, so that no hot state counts as the state of the entity. */
    private static String op(@Nullable EntityHead head) {
        return head == null ? UniqueNames.next() : head.op();
    }

    private @Nullable ExclusiveResult apply(
            List<OutboxSlice> looks, Supplier<List<Changed>> change) {
        var results = batch.apply(looks, Map.of());
        if (results.isEmpty()) {
            return null;
        }
        var drained = new ExclusiveResult(results.getFirst(), List.of());
        if (!drained.isDrained()) {
            return drained;
        }
        ExclusiveResult done;
        try {
            done = new ExclusiveResult(drained.result(), change.get());
        } catch (DataIntegrityViolationException e) {
            throw new IllegalStateException("what is stored does not allow the change", e);
        }
        failpoints.reached(Point.BEFORE_COMMIT);
        return done;
    }

    /**
     * Removes the hot states that are not ahead of the watermark. Hot states ahead of it depend on
     * the state before: the relay rejects their events, which removes them too. If the
     * acknowledgement is not certain, the epoch ends and all hot states of the partition become
     * invalid.
     */
    private void acknowledge(ExclusiveResult done) throws InterruptedException {
        if (done.changed().isEmpty()) {
            return;
        }
        var slice = done.result().slice();
        long watermark = done.result().to();
        try {
            boolean held =
                    outboxes.acknowledge(
                            slice,
                            done.changed().stream()
                                    .map(one -> new Fate(one.key(), one.op(), watermark, 0))
                                    .toList());
            if (!held) { // perhaps only while the slot of the partition moves
                recovery.endEpoch(
                        slice.p(), slice.fence(), "Redis refused the acknowledgement of a change");
            }
        } catch (InterruptedException e) {
            recovery.endEpoch(slice.p(), slice.fence(), "Redis has no acknowledgement of a change");
            throw e;
        } catch (Exception e) {
            recovery.endEpoch(
                    slice.p(), slice.fence(), "Redis has no acknowledgement of a change: " + e);
        }
    }

    /**
     * Waits until all events that are proposed by now are acknowledged, or a newer epoch is open. A
     * hot state with unjudged events shows the state before the change until the relay rejects
     * them. After a lost fence, other instances show it until the next epoch is open. The caller
     * reports the change only after this wait.
     */
    private void awaitJudged(ExclusiveResult done) throws InterruptedException {
        OutboxSlice before = done.result().slice();
        long end = System.nanoTime() + patienceNanos;
        long proposed = -1;
        do {
            OutboxLag now = progress(before.p());
            if (now != null && now.epoch() > before.fence().epoch()) {
                return;
            }
            if (now != null) {
                proposed = proposed < 0 ? now.proposed() : proposed;
                if (now.acked() >= proposed) {
                    return;
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        } while (System.nanoTime() - end < 0);
        throw new UnsettledException("what was proposed on the state before is not judged");
    }

    /** Returns null while this instance is not attached to the partition. */
    private @Nullable OutboxLag progress(int p) throws InterruptedException {
        try {
            return outboxes.progress(p);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            LOG.debug("The acknowledged events cannot be read from Redis: {}", e.toString());
            return null;
        }
    }
}
