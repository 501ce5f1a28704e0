package dev.ovation.protocol;

import dev.ovation.entity.ChangeKind;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Proposal;
import dev.ovation.outbox.InstanceModel;
import dev.ovation.outbox.Verdict;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.snapshot.EntitySnapshot;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One request to write, with all its attempts; models WriteLoop and HotEntities. */
final class Writing {

    /** The outcome of a request as the client sees it. */
    enum Outcome {
        OK,
        REFUSED,
        UNAVAILABLE,
        UNKNOWN
    }

    private static final int MOST_CONFLICTS = 3;
    private static final int MOST_TRIES = 8;

    private final World world;
    private final InstanceModel instance;
    private final Wish wish;
    private final Runnable ended;
    private final int p;
    private final String request;
    private final Set<String> ops = new HashSet<>();
    private @Nullable Fence fence;
    private @Nullable Proposal proposal;
    private String token = "";
    private String stale = "";
    private int conflicts;
    private int tries;
    private @Nullable Outcome outcome;

    /** Reason why nothing was changed, or why it was refused. */
    private String because = "";

    Writing(World world, InstanceModel instance, Wish wish, Runnable ended) {
        this.world = world;
        this.instance = instance;
        this.wish = wish;
        this.ended = ended;
        this.p = world.partitionOf(wish.key);
        this.request = world.name("request");
    }

    void begin() {
        world.note(() -> "  " + wish + " through " + instance);
        firstAnswer(this::propose);
    }

    /** Ends with the stored answer of the idempotency key; continues if there is none. */
    private void firstAnswer(Runnable otherwise) {
        if (wish.idempotencyKey.isEmpty()) {
            otherwise.run();
            return;
        }
        var key = new IdempotencyTable.IdempotencyScope("n", wish.user, wish.idempotencyKey);
        world.ask(
                instance,
                wish.user + " looks for a first answer",
                () -> world.database().firstAnswer(key),
                (Optional<IdempotencyTable.IdempotencyEntry> found) -> {
                    if (found.isPresent()) {
                        end(Outcome.OK, "first answer");
                    } else {
                        otherwise.run();
                    }
                },
                () -> end(Outcome.UNAVAILABLE, "Postgres does not answer"));
    }

    private void propose() {
        fence = instance.fence(p);
        if (fence == null || ++tries > MOST_TRIES) {
            end(Outcome.UNAVAILABLE, "Redis cannot be used");
            return;
        }
        String op = world.name(world.happens(Fault.POISON) ? "poison" : "op");
        ops.add(op);
        wish.ops.add(op);
        token = world.name("token");
        stale = "";
        proposal =
                new Proposal(
                        op,
                        world.clock(),
                        wish.key,
                        wish.user,
                        wish.add ? ChangeKind.ADD : ChangeKind.REMOVE,
                        List.of(wish.reaction),
                        wish.add
                                ? new Proposal.RuleData(1, Wish.GROUPS, Wish.LIMIT, Wish.KINDS)
                                : Proposal.RuleData.NONE,
                        wish.force,
                        wish.existingIsFine,
                        wish.idempotencyKey.isEmpty()
                                ? null
                                : new Proposal.Idempotency(wish.idempotencyKey, "hash", request),
                        Proposal.Basis.ANY,
                        true,
                        "",
                        "");
        send();
    }

    private void send() {
        var sent = proposal;
        var under = fence;
        var with = token;
        var instead = stale;
        world.send(
                instance,
                "react.lua " + sent.op() + ": " + wish,
                redis -> redis.react(p, under, sent, with, instead),
                this::answered,
                provenUnchanged -> {
                    if (provenUnchanged) {
                        end(Outcome.UNAVAILABLE, "Redis refused");
                    } else if (world.keeps(Rule.SEND_ONCE) || ++tries > MOST_TRIES) {
                        end(Outcome.UNKNOWN, "no answer");
                    } else {
                        send();
                    }
                });
    }

    private void answered(Reply reply) {
        switch (reply) {
            case Reply.Fenced _ -> {
                instance.lost(p, fence);
                firstAnswer(this::propose);
            }
            case Reply.Miss miss -> missed(miss.holder());
            case Reply.InFlight _ -> end(Outcome.UNAVAILABLE, "in flight");
            case Reply.Refused refused ->
                    instance.await(
                            p,
                            fence.epoch(),
                            refused.seq(),
                            verdict -> {
                                switch (verdict) {
                                    case COMMITTED ->
                                            firstAnswer(
                                                    () ->
                                                            end(
                                                                    Outcome.REFUSED,
                                                                    refused.reason().toString()));
                                    case NOT_APPLIED -> again();
                                    case UNKNOWN -> end(Outcome.UNAVAILABLE, "not committed yet");
                                }
                            });
            case Reply.Accepted accepted -> {
                if (!accepted.event().isEmpty()) {
                    instance.proposed(p, fence, accepted.seq(), accepted.event());
                }
                instance.await(
                        p, fence.epoch(), accepted.seq(), verdict -> settle(accepted, verdict));
            }
            default -> throw new IllegalStateException(reply.toString());
        }
    }

    private void settle(Reply.Accepted accepted, Verdict verdict) {
        switch (verdict) {
            case COMMITTED -> end(Outcome.OK, accepted.changed() ? "" : "unchanged");
            case NOT_APPLIED -> again();
            case UNKNOWN -> {
                boolean proposed = accepted.changed() || !wish.idempotencyKey.isEmpty();
                end(proposed ? Outcome.UNKNOWN : Outcome.UNAVAILABLE, "no verdict in time");
            }
        }
    }

    private void again() {
        if (++conflicts > MOST_CONFLICTS) {
            end(Outcome.UNAVAILABLE, "conflicts");
        } else {
            firstAnswer(this::propose);
        }
    }

    /** Loads the entity under the lease, or waits for the loader. */
    private void missed(String holder) {
        if (holder.isEmpty() || ++tries > MOST_TRIES) {
            end(Outcome.UNAVAILABLE, "not loaded");
        } else if (!holder.equals(token)) {
            stale = tries > MOST_TRIES / 2 ? holder : "";
            world.later(instance, wish.user + " waits for the one who loads", this::send);
        } else {
            world.ask(
                    instance,
                    wish.user + " loads " + wish.key.entity(),
                    () -> world.database().snapshot(p, wish.key, wish.user),
                    this::loaded,
                    () -> end(Outcome.UNAVAILABLE, "Postgres does not answer"));
        }
    }

    private void loaded(EntitySnapshot snapshot) {
        install(world, instance, fence, wish.user, p, wish.key, snapshot, token);
        stale = token;
        token = world.name("token");
        send();
    }

    static void install(
            World world,
            InstanceModel instance,
            Fence fence,
            String user,
            int p,
            dev.ovation.entity.EntityKey key,
            EntitySnapshot snapshot,
            String token) {
        world.send(
                instance,
                "install.lua " + key.entity() + " for " + user,
                redis -> redis.install(p, fence, key, snapshot, token),
                _ -> {},
                _ -> {});
    }

    void end(Outcome how, String why) {
        if (outcome == null) {
            outcome = how;
            because = why;
            world.note(() -> "  " + wish + ": " + how + " " + why);
            ended.run();
        }
    }

    Wish wish() {
        return wish;
    }

    InstanceModel instance() {
        return instance;
    }

    Outcome outcome() {
        return outcome;
    }

    String because() {
        return because;
    }

    /** The ops of the attempts of this request alone. */
    Set<String> ops() {
        return ops;
    }

    int partition() {
        return p;
    }

    @Override
    public String toString() {
        return wish + " " + List.copyOf(ops);
    }
}
