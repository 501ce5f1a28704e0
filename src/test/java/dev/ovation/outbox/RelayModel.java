package dev.ovation.outbox;

import dev.ovation.hot.Fence;
import dev.ovation.outbox.batch.Batch.Result;
import dev.ovation.outbox.batch.Look;
import dev.ovation.outbox.cursor.CursorNews;
import dev.ovation.protocol.Fault;
import dev.ovation.protocol.Redis;
import dev.ovation.protocol.Rule;
import dev.ovation.protocol.Step;
import dev.ovation.protocol.World;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The relay of one instance: look, apply, commit, tell; see Outboxes, Batch, Pass and Telling. */
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
        boolean attached = instance.due.stream().anyMatch(p -> instance.fence(p) != null);
        if (!busy && attached) {
            offers.accept(World.offer(instance, "begins a pass", this::begin));
        }
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

    private void look(Iterator<Integer> partitions, List<Look> looks) {
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
        var position = instance.cursors.position(p);
        long known = position.epoch() == fence.epoch() ? position.applied() : 0;
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
            List<Look> looks) {
        if (meta.epoch() != fence.epoch()) {
            instance.lost(p, fence);
            return;
        }
        var ours =
                entries.stream()
                        .filter(entry -> entry.epoch() == fence.epoch())
                        .map(entry -> new Look.Entry(entry.seq(), entry.fields()))
                        .toList();
        var look =
                new Look(p, fence, known, meta.acked(), meta.seq(), ours, entries.size() < COUNT);
        if (look.isWorthALock()) {
            looks.add(look);
        }
    }

    private void apply(List<Look> looks) {
        if (world.happens(Fault.QUERY_FAILS)) {
            looks.forEach(look -> failed(look.p()));
            return;
        }
        var own = world.database().begin(instance.toString());
        session = own;
        List<Result> results = own.apply(looks, poison(looks));
        world.note(() -> "  " + results);
        if (!world.keeps(Rule.TELL_AFTER_COMMIT)) {
            results.stream()
                    .filter(result -> result.finding() instanceof Look.Finding.Continues)
                    .forEach(
                            result ->
                                    instance.cursors.advance(
                                            result.look().p(),
                                            result.look().fence().epoch(),
                                            result.look().known(),
                                            result.to(),
                                            result.rejected()));
        }
        world.later(instance, "commits", () -> commit(looks, own, results));
    }

    /** Events that Postgres refuses are found one by one; here it is known which these are. */
    private Map<String, String> poison(List<Look> looks) {
        var poison = new HashMap<String, String>();
        looks.forEach(
                look ->
                        look.entries().stream()
                                .map(Look.Entry::op)
                                .filter(op -> op.startsWith("poison"))
                                .forEach(op -> poison.put(op, "poison")));
        return poison;
    }

    private void commit(List<Look> looks, Database.Session own, List<Result> results) {
        boolean done;
        if (world.happens(Fault.COMMIT_FAILS)) {
            own.rollback();
            done = false;
        } else {
            done = own.commit() && !world.happens(Fault.COMMIT_UNANSWERED);
        }
        if (!done && world.keeps(Rule.FAILED_COMMIT_TELLS_NOBODY)) {
            looks.forEach(look -> failed(look.p()));
            return;
        }
        busy = false;
        session = null;
        results.stream()
                .filter(result -> result.fresh() > 0 && !result.look().whole())
                .forEach(result -> instance.due.add(result.look().p()));
        instance.telling.tell(
                world.keeps(Rule.EXCEPTIONS_TRAVEL)
                        ? results
                        : results.stream().map(RelayModel::withoutExceptions).toList());
    }

    private static Result withoutExceptions(Result result) {
        return new Result(
                result.look(),
                result.finding(),
                result.to(),
                Set.of(),
                List.of(),
                result.events(),
                result.fresh());
    }

    CompletableFuture<Boolean> acknowledge(Result result) {
        var look = result.look();
        var fates = Fates.of(result.events(), Fates.rejected(result, instance.cursors));
        long applied = Fates.covered(result);
        var acknowledged = new CompletableFuture<Boolean>();
        world.send(
                instance,
                "ack.lua up to " + applied + " " + fates,
                redis -> redis.ack(look.p(), look.fence(), applied, fates),
                acknowledged::complete,
                _ -> acknowledged.completeExceptionally(new IllegalStateException()));
        return acknowledged;
    }

    void publish(List<Result> results) {
        for (CursorNews news : CursorNews.of(results)) {
            for (InstanceModel other : world.instances()) {
                if (other != instance && !world.happens(Fault.NEWS_LOST)) {
                    world.later(other, "hears " + news, () -> other.hears(news));
                }
            }
        }
    }

    /** See Outboxes: what is proposed or committed but not acknowledged is due. */
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
                            instance.due.add(partition);
                        }
                    },
                    _ -> {});
        }
    }
}
