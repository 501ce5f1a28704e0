package dev.ovation.reaction.write;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.entity.Bound;
import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.HotEntities;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.Proposal;
import dev.ovation.outbox.CommitWaiter;
import dev.ovation.trace.WriteTrace;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Sends proposals to Redis, under the rules in force and the fence of their partition. */
final class Proposer {

    private static final CompletableFuture<?> AT_ONCE = CompletableFuture.completedFuture(null);

    private final CurrentRules rules;
    private final Partitions partitions;
    private final Fences fences;
    private final HotEntities hot;
    private final CommitWaiter commits;
    private final Predicate<String> texts;
    private final BiConsumer<String, String> bans;
    private final Duration attach;
    private final Clock clock;

    Proposer(
            CurrentRules rules,
            Fences fences,
            HotEntities hot,
            CommitWaiter commits,
            Predicate<String> texts,
            BiConsumer<String, String> bans,
            Duration attach,
            Clock clock) {
        this.rules = rules;
        this.partitions = fences.partitions();
        this.fences = fences;
        this.hot = hot;
        this.commits = commits;
        this.texts = texts;
        this.bans = bans;
        this.attach = attach;
        this.clock = clock;
    }

    int partition(EntityKey key) {
        return partitions.of(key);
    }

    /**
     * Checks a command by the rules in force; by newer ones when these do not know its reaction, or
     * know it as not available.
     *
     * @throws dev.ovation.web.problem.ProblemException when no rules know the reaction or the
     *     namespace, or the user is banned; a banned user may remove reactions
     */
    RuleCheck check(Command command, boolean withState) {
        if (command.kind() != ChangeKind.REMOVE && !command.reactions().isEmpty()) {
            bans.accept(command.user(), command.namespace());
        }
        while (true) {
            var check = new RuleCheck(rules.current(), command, withState, clock.instant(), texts);
            if (check.isDecided() || !rules.catchUpIfOlder(check.rules().version())) {
                return check;
            }
        }
    }

    /**
     * Waits for the fence of a partition.
     *
     * @throws dev.ovation.web.problem.ProblemException when the partition is not attached in time
     */
    Fence fence(int p) {
        var fence = fences.await(p, attach);
        if (fence == null) {
            throw WriteProblems.unavailable("Redis cannot be used").at(Bound.ATTACH);
        }
        return fence;
    }

    /**
     * Sends a proposal once.
     *
     * @param alone whether the call returns only when the commit that precedes the answer is known
     * @param patience bound of the waits
     * @param trace null when the request is not sampled
     */
    Reply send(
            int p,
            Fence fence,
            Proposal proposal,
            boolean alone,
            Duration patience,
            @Nullable WriteTrace trace) {
        if (trace == null) {
            return hot.react(p, fence, proposal, patience, reply -> next(p, fence, reply, alone));
        }
        return trace.sent(
                () ->
                        hot.react(
                                p,
                                fence,
                                proposal,
                                patience,
                                reply -> {
                                    if (reply instanceof Reply.Judged) {
                                        trace.replied();
                                    }
                                    return next(p, fence, reply, alone);
                                }));
    }

    private CompletableFuture<?> next(int p, Fence fence, Reply reply, boolean alone) {
        return alone ? verdict(p, fence, reply) : AT_ONCE;
    }

    /** Returns the commit that must precede the answer to a definite reply. */
    private CompletableFuture<?> verdict(int p, Fence fence, Reply reply) {
        return switch (reply) {
            case Reply.Accepted accepted -> commits.expect(p, fence.epoch(), accepted.seq());
            case Reply.Refused refused -> commits.expect(p, fence.epoch(), refused.seq());
            default -> AT_ONCE;
        };
    }

    /**
     * Reads newer rules, after a reply that Redis has them.
     *
     * @throws dev.ovation.web.problem.ProblemException when Postgres has none: it was restored to a
     *     state before these rules. A new attach ends the epoch, and the next epoch begins with the
     *     rules that Postgres has
     */
    void catchUp(int p, Fence fence, RuleCheck check) {
        if (!rules.catchUp(check.rules().version())) {
            fences.lose(p, fence);
            throw WriteProblems.unavailable("newer rules are in force than Postgres knows");
        }
    }
}
