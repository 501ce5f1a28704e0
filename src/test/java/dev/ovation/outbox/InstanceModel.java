package dev.ovation.outbox;

import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.batch.Inbox;
import dev.ovation.outbox.relay.CommitPublisher;
import dev.ovation.outbox.relay.OutboxMetrics;
import dev.ovation.outbox.watermark.WatermarkUpdate;
import dev.ovation.outbox.watermark.Watermarks;
import dev.ovation.protocol.Fault;
import dev.ovation.protocol.Redis;
import dev.ovation.protocol.Rule;
import dev.ovation.protocol.Step;
import dev.ovation.protocol.World;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One instance of the service: its state and its scheduled work. Fences, watermarks, verdicts and
 * all steps after a commit are the shipped classes.
 */
public final class InstanceModel {

    private static final OutboxMetrics METRICS = new OutboxMetrics(new SimpleMeterRegistry());

    private final String name;
    final World world;
    final Fences fences;
    final Watermarks watermarks;
    final Inbox inbox;
    final CommitPublisher publisher;
    final Map<Integer, Long> toEnd = new HashMap<>();
    final Set<Integer> due = new TreeSet<>();
    private final RelayModel relay;
    private final RecoveryModel recovery;
    private Redis server;
    private @Nullable String incarnation;
    private boolean dead;

    public InstanceModel(String name, World world) {
        this.name = name;
        this.world = world;
        this.fences = new Fences(world.partitions());
        this.watermarks = new Watermarks(world.partitions());
        this.inbox = new Inbox(world.partitions());
        this.server = world.master();
        this.relay = new RelayModel(this);
        this.recovery = new RecoveryModel(this);
        this.publisher =
                new CommitPublisher(
                        fences,
                        watermarks,
                        inbox,
                        this::endEpoch,
                        results -> results.stream().map(relay::acknowledge).toList(),
                        relay::publish,
                        METRICS,
                        Failpoints.NONE);
    }

    private void endEpoch(int p, Fence fence, String reason) {
        world.note(() -> "  ends epoch " + fence.epoch() + " of " + p + ": " + reason);
        world.checker().epochEnds(reason);
        toEnd.put(p, fence.epoch());
        fences.lose(p, fence);
    }

    /** The Redis to which it is connected. */
    public Redis server() {
        return server;
    }

    /** Its fence of a partition; null while it is not attached. */
    public @Nullable Fence fence(int p) {
        return fences.of(p);
    }

    /** Registers an own event from the answer of the script; see ProposalRuns. */
    public void proposed(int p, Fence fence, long seq, String event) {
        inbox.proposed(p, fence.epoch(), seq, event);
    }

    /** Registers that a script rejected the fence. */
    public void lost(int p, Fence fence) {
        fences.lose(p, fence);
    }

    @Nullable String incarnation() {
        return incarnation;
    }

    /** Stops this instance. */
    public void die() {
        dead = true;
        relay.die();
        recovery.die();
    }

    /** Offers new steps, besides those in flight. */
    public void mayBegin(Consumer<Step> offers) {
        if (server != world.master()) {
            offers.accept(World.offer(this, "moves to the new Redis", this::reconnect));
        }
        relay.mayBegin(offers);
        recovery.mayBegin(offers);
    }

    private void reconnect() {
        server = world.master();
        incarnation = null;
    }

    /** Executes one of the scheduled tasks. */
    public void tick(int kind) {
        world.note(
                () ->
                        this
                                + ": by the clock, "
                                + List.of(
                                                "watches",
                                                "compares",
                                                "sweeps",
                                                "cleans",
                                                "waits too long")
                                        .get(kind));
        switch (kind) {
            case 0 -> watch();
            case 1 -> compare();
            case 2 -> relay.sweep();
            case 3 -> clean();
            default -> overdue();
        }
    }

    /** Detects the server of the connection: see RedisLink. */
    private void watch() {
        incarnation = server.incarnation();
        fences.loseIf((_, fence) -> !fence.incarnation().equals(incarnation));
    }

    /** See Recovery. */
    private void compare() {
        var before = watermarks.positions();
        var rows = world.database().rows();
        boolean behind = rows.stream().anyMatch(row -> before.get(row.p()).isAheadOf(row));
        if (behind && world.keeps(Rule.LOSS_IS_NOTICED)) {
            rows.forEach(row -> toEnd.put(row.p(), row.epoch()));
            fences.loseAll();
            return;
        }
        for (var row : rows) {
            var fence = fences.of(row.p());
            if (fence != null && row.epoch() > fence.epoch()) {
                fences.lose(row.p(), fence);
            }
        }
    }

    /** See StaleEpochSweeper. */
    private void clean() {
        for (int p = 0; p < world.partitions(); p++) {
            int partition = p;
            var entities =
                    world.entities().stream()
                            .filter(key -> world.partitionOf(key) == partition)
                            .toList();
            world.send(
                    this, "sweep.lua", redis -> redis.sweep(partition, entities), _ -> {}, _ -> {});
        }
    }

    private void overdue() {
        for (int p = 0; p < world.partitions(); p++) {
            if (watermarks.waiting() > 0) {
                due.add(p);
            }
        }
    }

    /** Number of requests that wait for a verdict. */
    public int waiting() {
        return watermarks.waiting();
    }

    /** Receives a watermark update of another instance. */
    void hears(WatermarkUpdate news) {
        if (!dead
                && !watermarks.advance(
                        news.p(), news.epoch(), news.from(), news.to(), news.rejected())) {
            due.add(news.p());
        }
    }

    /** Waits for the verdict on an event, as in CommitWaiter. */
    public void await(int p, long epoch, long seq, Consumer<Verdict> verdict) {
        if (seq == 0) {
            verdict.accept(Verdict.COMMITTED);
            return;
        }
        CompletableFuture<Watermarks.CommitSignal> news = watermarks.await(p, epoch, seq);
        if (!news.isDone()) {
            due.add(p);
            Runnable giveUp =
                    () -> {
                        if (news.cancel(false)) {
                            watermarks.forgetCancelled(p, seq);
                            verdict.accept(Verdict.UNKNOWN);
                        }
                    };
            if (world.happens(Fault.IMPATIENCE)) {
                world.later(this, "a client waits no longer", giveUp);
            }
        }
        news.thenAccept(
                it ->
                        world.later(
                                this,
                                "hears of event " + epoch + "-" + seq + ": " + it,
                                () -> heard(p, epoch, seq, it, verdict)));
    }

    private void heard(
            int p, long epoch, long seq, Watermarks.CommitSignal news, Consumer<Verdict> verdict) {
        switch (news) {
            case APPLIED -> verdict.accept(Verdict.COMMITTED);
            case REJECTED -> verdict.accept(Verdict.NOT_APPLIED);
            case CLOSED -> {
                if (!world.keeps(Rule.CLOSED_EPOCH_ASKS)) {
                    verdict.accept(Verdict.NOT_APPLIED);
                    return;
                }
                world.ask(
                        this,
                        "asks where epoch " + epoch + " ended",
                        () -> world.database().ofClosedEpoch(p, epoch, seq),
                        verdict,
                        () -> verdict.accept(Verdict.UNKNOWN));
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
