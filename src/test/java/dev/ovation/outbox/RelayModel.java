package dev.ovation.outbox;

import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayTransaction.PartitionResult;
import dev.ovation.outbox.relay.Acknowledgements;
import dev.ovation.outbox.watermark.WatermarkUpdate;
import dev.ovation.protocol.Fault;
import dev.ovation.protocol.Redis;
import dev.ovation.protocol.Rule;
import dev.ovation.protocol.Step;
import dev.ovation.protocol.World;
import dev.ovation.store.RelayFunction.CallResult;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The relay of one instance: read, apply, commit, publish; see Outboxes, RelayTransaction,
 * RelayCycle and CommitPublisher.
 */
final class RelayModel {

    private static final int COUNT = 3;

    private final InstanceModel instance;
    private final World world;
    private boolean busy;
    private Database.@Nullable Session session;

    RelayModel(InstanceModel instance) {
        this.instance = instance;
        this.world = instance.world;
    }

    void mayBegin(Consumer<Step> offers) {
        if (!busy && isAttached()) {
            offers.accept(World.offer(instance, "begins a pass", this::begin));
        }
    }

    private boolean isAttached() {
        for (int p : instance.due) {
            if (instance.fence(p) != null) {
                return true;
            }
        }
        return false;
    }

    void die() {
        if (session != null) {
            session.rollback();
        }
    }

    private void begin() {
        busy = true;
        var partitions = List.copyOf(instance.due);
        instance.due.clear();
        look(partitions.iterator(), new ArrayList<>());
    }

    private void look(Iterator<Integer> partitions, List<OutboxSlice> looks) {
        if (!partitions.hasNext()) {
            if (looks.isEmpty()) {
                busy = false;
            } else {
                world.later(instance, "locks and applies", () -> apply(looks));
            }
            return;
        }
        int p = partitions.next();
        var fence = instance.fence(p);
        if (fence == null) {
            look(partitions, looks);
            return;
        }
        var position = instance.watermarks.position(p);
        long known = position.epoch() == fence.epoch() ? position.applied() : 0;
        var own = instance.inbox.look(p, fence, known, instance.watermarks.awaited(p), COUNT);
        if (own != null) {
            looks.add(own);
            look(partitions, looks);
            return;
        }
        boolean metaFirst = world.keeps(Rule.META_BEFORE_OUTBOX);
        Consumer<Boolean> failed = _ -> failed(p);
        if (metaFirst) {
            world.send(
                    instance,
                    "reads meta " + p,
                    redis -> redis.meta(p),
                    meta ->
                            world.send(
                                    instance,
                                    "reads outbox " + p,
                                    redis -> redis.outbox(p, COUNT),
                                    entries -> {
                                        looked(p, fence, known, meta, entries, looks);
                                        look(partitions, looks);
                                    },
                                    failed),
                    failed);
        } else {
            world.send(
                    instance,
                    "reads outbox " + p,
                    redis -> redis.outbox(p, COUNT),
                    entries ->
                            world.send(
                                    instance,
                                    "reads meta " + p,
                                    redis -> redis.meta(p),
                                    meta -> {
                                        looked(p, fence, known, meta, entries, looks);
                                        look(partitions, looks);
                                    },
                                    failed),
                    failed);
        }
    }

    private void failed(int p) {
        busy = false;
        session = null;
        instance.due.add(p);
    }

    private void looked(
            int p,
            Fence fence,
            long known,
            Redis.Meta meta,
            List<Redis.Entry> entries,
            List<OutboxSlice> looks) {
        if (meta.epoch() != fence.epoch()) {
            instance.lost(p, fence);
            return;
        }
        var ours =
                entries.stream()
                        .filter(entry -> entry.epoch() == fence.epoch())
                        .map(entry -> new OutboxSlice.OutboxEntry(entry.seq(), entry.fields()))
                        .toList();
        var slice =
                new OutboxSlice(
                        p, fence, known, meta.acked(), meta.seq(), ours, entries.size() < COUNT);
        if (slice.isWorthALock()) {
            looks.add(slice);
        }
    }

    private void apply(List<OutboxSlice> looks) {
        if (world.happens(Fault.QUERY_FAILS)) {
            looks.forEach(slice -> failed(slice.p()));
            return;
        }
        if (world.oneCall() && poison(looks).isEmpty() && hasEndedByOneCall(looks)) {
            return;
        }
        var own = world.database().begin(instance.toString());
        session = own;
        List<PartitionResult> results = own.apply(looks, poison(looks));
        world.note(() -> "  " + results);
        if (!world.keeps(Rule.ANSWER_AFTER_COMMIT)) {
            results.stream()
                    .filter(
                            result ->
                                    result.finding()
                                            instanceof OutboxSlice.ContinuityCheck.Continues)
                    .forEach(
                            result ->
                                    instance.watermarks.advance(
                                            result.slice().p(),
                                            result.slice().fence().epoch(),
                                            result.slice().known(),
                                            result.to(),
                                            result.rejected()));
        }
        world.later(instance, "commits", () -> commit(looks, own, results));
    }

    /** Returns false if the call changed nothing and the same slices need a transaction. */
    private boolean hasEndedByOneCall(List<OutboxSlice> looks) {
        if (world.happens(Fault.COMMIT_FAILS)) {
            looks.forEach(slice -> failed(slice.p()));
            return true;
        }
        var outcome = world.database().begin(instance.toString()).call(looks);
        world.note(() -> "  " + outcome);
        if (outcome.result() != CallResult.APPLIED) {
            return false;
        }
        if (world.happens(Fault.COMMIT_UNANSWERED)) {
            looks.forEach(slice -> failed(slice.p()));
        } else {
            committed(outcome.partitions());
        }
        return true;
    }

    /** The relay finds poison events one by one; the model has their list. */
    private Map<String, String> poison(List<OutboxSlice> looks) {
        var poison = new HashMap<String, String>();
        looks.forEach(
                slice ->
                        slice.entries().stream()
                                .map(OutboxSlice.OutboxEntry::op)
                                .filter(op -> op.startsWith("poison"))
                                .forEach(op -> poison.put(op, "poison")));
        return poison;
    }

    private void commit(
            List<OutboxSlice> looks, Database.Session own, List<PartitionResult> results) {
        boolean done;
        if (world.happens(Fault.COMMIT_FAILS)) {
            own.rollback();
            done = false;
        } else {
            done = own.commit() && !world.happens(Fault.COMMIT_UNANSWERED);
        }
        if (!done && world.keeps(Rule.FAILED_COMMIT_ANSWERS_NO_REQUEST)) {
            looks.forEach(slice -> failed(slice.p()));
            return;
        }
        committed(results);
    }

    private void committed(List<PartitionResult> results) {
        busy = false;
        session = null;
        results.stream()
                .filter(result -> result.fresh() > 0 && !result.slice().whole())
                .forEach(result -> instance.due.add(result.slice().p()));
        instance.publisher.publish(
                world.keeps(Rule.EXCEPTIONS_TRAVEL)
                        ? results
                        : results.stream().map(RelayModel::withoutExceptions).toList());
    }

    private static PartitionResult withoutExceptions(PartitionResult result) {
        return new PartitionResult(
                result.slice(),
                result.finding(),
                result.to(),
                Set.of(),
                List.of(),
                result.events(),
                result.fresh());
    }

    CompletableFuture<Boolean> acknowledge(PartitionResult result) {
        var item = Acknowledgements.of(result, instance.watermarks);
        var acknowledged = new CompletableFuture<Boolean>();
        world.send(
                instance,
                "ack.lua up to " + item.applied() + " " + item.fates(),
                redis ->
                        redis.ack(
                                item.p(), item.fence(), item.after(), item.applied(), item.fates()),
                acknowledged::complete,
                _ -> acknowledged.completeExceptionally(new IllegalStateException()));
        return acknowledged;
    }

    void publish(List<PartitionResult> results) {
        for (WatermarkUpdate news : WatermarkUpdate.of(results)) {
            for (InstanceModel other : world.instances()) {
                if (other != instance && !world.happens(Fault.NEWS_LOST)) {
                    world.later(other, "hears " + news, () -> other.hears(news));
                }
            }
        }
    }

    /** Makes partitions with unacknowledged events due; see Outboxes. */
    void sweep() {
        for (int p = 0; p < world.partitions(); p++) {
            int partition = p;
            var fence = instance.fence(p);
            world.send(
                    instance,
                    "looks after meta " + p,
                    redis -> redis.meta(partition),
                    meta -> {
                        if (fence != null && meta.epoch() != fence.epoch()) {
                            instance.lost(partition, fence);
                        }
                        if (meta.seq() > meta.acked()) {
                            instance.inbox.forget(partition);
                            instance.due.add(partition);
                        }
                    },
                    _ -> {});
        }
    }
}
