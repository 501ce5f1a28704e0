package dev.ovation.outbox;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Failpoints;
import dev.ovation.hot.Failpoints.Point;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.RedisUnavailableException;
import dev.ovation.hot.Tokens;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.outbox.Outboxes.Progress;
import dev.ovation.outbox.batch.Batch;
import dev.ovation.outbox.batch.Look;
import dev.ovation.outbox.batch.Look.Finding;
import dev.ovation.store.EntityTable;
import dev.ovation.store.EntityTable.Head;

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
 * How others than the relay change rows of entities: as the relay does. The row of the partition is
 * locked, what its outbox holds is applied, then the change is made, all in one transaction; after
 * the commit Redis is told. What was proposed on the state before is rejected when its turn comes,
 * and tried again by those who wait for it.
 */
public final class Interventions {

    private static final Logger LOG = LoggerFactory.getLogger(Interventions.class);
    private static final long PAUSE_MILLIS = 2;

    private final Outboxes outboxes;
    private final Batch batch;
    private final Pass pass;
    private final Telling telling;
    private final Recovery recovery;
    private final EntityTable entities;
    private final TransactionOperations transactions;
    private final Failpoints failpoints;
    private final int count;
    private final long leap;
    private final long patienceNanos;

    Interventions(
            Outboxes outboxes,
            Batch batch,
            Pass pass,
            Telling telling,
            Recovery recovery,
            EntityTable entities,
            TransactionOperations transactions,
            Failpoints failpoints,
            OutboxSettings settings,
            HotSettings hot) {
        this.outboxes = outboxes;
        this.batch = batch;
        this.pass = pass;
        this.telling = telling;
        this.recovery = recovery;
        this.entities = entities;
        this.transactions = transactions;
        this.failpoints = failpoints;
        this.count = settings.batch() + 1;
        this.leap = hot.outboxCap() + 1L;
        this.patienceNanos = hot.commandTimeout().toNanos() * 2;
    }

    /**
     * How much greater than the stored version of an entity a new one is to be: by more than what
     * an outbox can hold. So it is greater than each version that was shown of a state that is
     * proposed on the stored one, and names nobody's state twice.
     */
    public long leap() {
        return leap;
    }

    /** An entity that was given a new state, and the op by which this state is known. */
    public record Changed(EntityKey key, String op) {}

    private record Done(Batch.Result result, List<Changed> changed) {
        boolean isDrained() {
            return result.finding() instanceof Finding.Continues && result.look().whole();
        }
    }

    /**
     * Makes a change in a partition.
     *
     * @param change runs within the transaction, under the lock, after everything that was
     *     proposed; returns the entities that it changed, each with its new op in Postgres
     * @return false when the partition is not to be had now: then nothing was changed by this
     * @throws RedisUnavailableException when nothing was changed because Redis does not answer
     * @throws NotJudgedException when the change is made, and some may still be shown the state
     *     before: then {@link #tellAgain} is to be called until it returns true
     * @throws IllegalStateException when the change breaks a constraint; nothing was changed
     * @throws RuntimeException when Postgres fails; nothing was changed unless it is the commit
     */
    public boolean make(int p, Supplier<List<Changed>> change) throws InterruptedException {
        Done done;
        try {
            // Once as the relay, which knows what to do about events that cannot be applied.
            pass.run(List.of(p), count);
            List<Look> looks = outboxes.see(List.of(p), count);
            done = looks.isEmpty() ? null : transactions.execute(_ -> apply(looks, change));
        } catch (DataIntegrityViolationException e) {
            LOG.debug("An event came that cannot be applied; the relay sees to it", e);
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
        telling.tell(List.of(done.result()));
        tell(done);
        awaitJudged(done);
        return done.isDrained();
    }

    /**
     * Tells Redis which states entities of a partition have in Postgres, when it is not certain
     * that it was told when they got them; to tell it twice does no harm.
     *
     * @return false, and exceptions, as above: then Redis may not know
     */
    public boolean tellAgain(int p, Collection<EntityKey> keys) throws InterruptedException {
        return make(
                p,
                () -> {
                    var heads = entities.heads(keys);
                    return keys.stream().map(key -> new Changed(key, op(heads.get(key)))).toList();
                });
    }

    /** Of an entity without a row nothing that is hot is taken for its state. */
    private static String op(@Nullable Head head) {
        return head == null ? Tokens.next() : head.op();
    }

    private @Nullable Done apply(List<Look> looks, Supplier<List<Changed>> change) {
        var results = batch.apply(looks, Map.of());
        if (results.isEmpty()) {
            return null;
        }
        var drained = new Done(results.getFirst(), List.of());
        if (!drained.isDrained()) {
            return drained;
        }
        Done done;
        try {
            done = new Done(drained.result(), change.get());
        } catch (DataIntegrityViolationException e) {
            throw new IllegalStateException("what is stored does not allow the change", e);
        }
        failpoints.reached(Point.BEFORE_COMMIT);
        return done;
    }

    /**
     * The hot states that are not ahead of the cursor go. Those that are ahead rest on the state
     * before: their events are rejected, and then they go too. If it is not certain that Redis was
     * told, nothing that it holds of this partition is trusted any more.
     */
    private void tell(Done done) throws InterruptedException {
        if (done.changed().isEmpty()) {
            return;
        }
        var look = done.result().look();
        long cursor = done.result().to();
        try {
            outboxes.acknowledge(
                    look,
                    done.changed().stream()
                            .map(one -> new Fate(one.key(), one.op(), cursor, 0))
                            .toList());
        } catch (InterruptedException e) {
            recovery.endEpoch(look.p(), look.fence(), "Redis was not told of a change");
            throw e;
        } catch (Exception e) {
            recovery.endEpoch(look.p(), look.fence(), "Redis was not told of a change: " + e);
        }
    }

    /**
     * Waits until all events that are proposed by now are acknowledged, or a newer epoch is open. A
     * hot state with unjudged events shows the state before the change until the relay rejects
     * them; after a lost fence, other instances show it until the next epoch is open. The caller
     * reports the change only after this wait.
     */
    private void awaitJudged(Done done) throws InterruptedException {
        if (done.changed().isEmpty()) {
            return;
        }
        Look before = done.result().look();
        long end = System.nanoTime() + patienceNanos;
        long proposed = -1;
        do {
            Progress now = progress(before.p());
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
        throw new NotJudgedException("what was proposed on the state before is not judged");
    }

    /** Null while this instance is not attached to the partition. */
    private @Nullable Progress progress(int p) throws InterruptedException {
        try {
            return outboxes.progress(p);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            LOG.debug("Redis does not say what is acknowledged: {}", e.toString());
            return null;
        }
    }
}
