package dev.ovation.outbox;

import dev.ovation.hot.script.OpenScript;
import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.recovery.Epochs.Meta;
import dev.ovation.outbox.recovery.Epochs.OpenedEpoch;
import dev.ovation.protocol.Fault;
import dev.ovation.protocol.Rule;
import dev.ovation.protocol.Step;
import dev.ovation.protocol.World;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable.Succession;
import dev.ovation.store.RejectedEvents.Range;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Attachment of an instance to partitions, with a new epoch if necessary; see Recovery, Epochs. */
final class RecoveryModel {

    private final InstanceModel instance;
    private final World world;
    private boolean busy;
    private Database.@Nullable Session session;

    RecoveryModel(InstanceModel instance) {
        this.instance = instance;
        this.world = instance.world;
    }

    void mayBegin(Consumer<Step> offers) {
        if (busy || instance.incarnation() == null) {
            return;
        }
        if (instance.fences.attached() != world.partitions()) {
            offers.accept(World.offer(instance, "begins to attach", this::begin));
        }
    }

    void die() {
        if (session != null) {
            session.rollback();
        }
    }

    private void begin() {
        busy = true;
        var seen = new OpenedEpoch(instance.incarnation());
        world.ask(
                instance,
                "reads the rows",
                world.database()::rows,
                all -> {
                    var rows = all.stream().filter(row -> instance.fence(row.p()) == null).toList();
                    look(rows, rows.iterator(), seen);
                },
                this::end);
    }

    private void end() {
        busy = false;
        session = null;
    }

    private void look(List<PartitionRow> rows, Iterator<PartitionRow> left, OpenedEpoch seen) {
        if (!left.hasNext()) {
            decide(rows, seen);
            return;
        }
        var row = left.next();
        world.send(
                instance,
                "reads meta " + row.p(),
                redis -> redis.meta(row.p()),
                meta -> {
                    seen.add(row, new Meta(meta.epoch(), meta.incarnation(), 0, meta.acked()));
                    look(rows, left, seen);
                },
                _ -> end());
    }

    private boolean mustEnd(PartitionRow row) {
        Long ending = instance.toEnd.get(row.p());
        return ending != null && ending == row.epoch();
    }

    private void decide(List<PartitionRow> rows, OpenedEpoch seen) {
        var attachable = new ArrayList<PartitionRow>();
        var others = new ArrayList<Integer>();
        for (PartitionRow row : rows) {
            if (seen.isOpen(row) && !mustEnd(row)) {
                attachable.add(row);
            } else {
                others.add(row.p());
            }
        }
        attach(attachable, () -> take(others, seen));
    }

    private void attach(List<PartitionRow> rows, Runnable next) {
        if (rows.isEmpty()) {
            next.run();
            return;
        }
        var ranges = rows.stream().map(row -> new Range(row.p(), row.epoch(), 0)).toList();
        world.ask(
                instance,
                "reads what was rejected",
                () -> world.database().rejections(ranges),
                rejected -> {
                    rows.forEach(row -> attach(row, rejected));
                    next.run();
                },
                this::end);
    }

    private void attach(PartitionRow row, Map<Integer, Set<Long>> rejected) {
        int p = row.p();
        world.note(() -> "  attached to " + row);
        Set<Long> exceptions =
                world.keeps(Rule.EXCEPTIONS_TRAVEL) ? rejected.getOrDefault(p, Set.of()) : Set.of();
        instance.watermarks.reset(p, row.epoch(), row.appliedSeq(), exceptions);
        instance.fences.attach(p, new Fence(row.epoch(), row.incarnation()));
        instance.toEnd.remove(p);
        instance.due.add(p);
    }

    private void take(List<Integer> wanted, OpenedEpoch seen) {
        if (wanted.isEmpty()) {
            end();
            return;
        }
        world.later(
                instance,
                "locks and takes epochs of " + wanted,
                () -> {
                    if (world.happens(Fault.QUERY_FAILS)) {
                        end();
                        return;
                    }
                    var own = world.database().begin(instance + " recovery");
                    session = own;
                    List<Succession> taken =
                            own.take(wanted, seen, this::mustEnd, world.postgres().now / 1000);
                    world.note(() -> "  takes " + taken);
                    world.later(instance, "commits epochs", () -> commit(own, taken));
                });
    }

    private void commit(Database.Session own, List<Succession> taken) {
        if (world.happens(Fault.COMMIT_FAILS)) {
            own.rollback();
            end();
        } else if (!own.commit() || world.happens(Fault.COMMIT_UNANSWERED)) {
            end();
        } else {
            session = null;
            open(taken.iterator());
        }
    }

    private void open(Iterator<Succession> left) {
        if (!left.hasNext()) {
            end();
            return;
        }
        open(left.next(), left);
    }

    private void open(Succession next, Iterator<Succession> left) {
        var fence = new Fence(next.newEpoch(), next.newIncarnation());
        world.send(
                instance,
                "open.lua " + next.p() + " " + fence,
                redis -> redis.open(next.p(), fence),
                reply -> {
                    if (reply != OpenScript.Reply.OPENED) {
                        open(left);
                        return;
                    }
                    var row =
                            new PartitionRow(
                                    next.p(), next.newEpoch(), next.newIncarnation(), 0, 0, "");
                    attach(List.of(row), () -> open(left));
                },
                _ -> open(left));
    }
}
