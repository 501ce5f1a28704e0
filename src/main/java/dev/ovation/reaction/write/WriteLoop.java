package dev.ovation.reaction.write;

import dev.ovation.entity.Bound;
import dev.ovation.entity.Micros;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.outbox.CommitWaiter;
import dev.ovation.outbox.Verdict;
import dev.ovation.reaction.write.ProposalResult.DependsOn;
import dev.ovation.reaction.write.ProposalResult.Replied;
import dev.ovation.reaction.write.ProposalResult.StoredAnswer;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.trace.WriteTrace;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.function.Supplier;

/**
 * One write with all its proposals. It is proposed until Redis has a definite reply, and settled by
 * the commit that the reply depends on; a rejected proposal begins anew. {@link RetryBudget} bounds
 * both.
 */
final class WriteLoop implements WriteSequence.Write {

    private final Proposer proposer;
    private final StoredAnswers answers;
    private final CommitWaiter commits;
    private final Command command;
    private final boolean withState;
    private final RetryBudget budget;
    private final @Nullable WriteTrace trace;
    private final int p;
    private final String request = UniqueNames.next();
    private final ExpectedState expected;

    /** Whether a stored answer may be that of this request. */
    private boolean proposed;

    WriteLoop(
            Proposer proposer,
            StoredAnswers answers,
            CommitWaiter commits,
            Command command,
            boolean withState,
            RetryBudget budget,
            @Nullable WriteTrace trace) {
        this.proposer = proposer;
        this.answers = answers;
        this.commits = commits;
        this.command = command;
        this.withState = withState;
        this.budget = budget;
        this.trace = trace;
        this.p = proposer.partition(command.entityKey());
        this.expected = new ExpectedState(command.condition());
    }

    Completed run() {
        while (true) {
            ProposalResult proposed = propose(null, true);
            Completed result = proposed == null ? null : settle(proposed);
            if (result != null) {
                return result;
            }
            pause();
        }
    }

    /**
     * Proposes the write until its reply is definite, unless an answer is stored under its key.
     *
     * @param before event that the base must include; null for none
     * @return null when the base does not include {@code before}, or may not: that event must be
     *     settled first, or, if it is committed, be acknowledged to Redis
     */
    @Override
    public @Nullable ProposalResult propose(@Nullable DependsOn before) {
        return propose(before, false);
    }

    /**
     * @param alone whether the write is settled next: then the verdict is awaited, and the call
     *     returns when settling need not wait
     */
    private @Nullable ProposalResult propose(@Nullable DependsOn before, boolean alone) {
        ProposalResult stored = stored();
        return stored == null ? send(before, alone) : stored;
    }

    /**
     * Proposes the write again after {@link #propose} returned null. The write changed nothing, so
     * Postgres is not asked for its answer. The relay rejects a duplicate of another request.
     */
    @Override
    public @Nullable ProposalResult proposeAgain(@Nullable DependsOn before) {
        return send(before, false);
    }

    private @Nullable ProposalResult stored() {
        return answers.find(command, withState).map(StoredAnswer::new).orElse(null);
    }

    private @Nullable ProposalResult send(@Nullable DependsOn before, boolean alone) {
        while (true) {
            if (commits.areStuck(p)) {
                throw WriteProblems.unavailable("changes do not get through to Postgres")
                        .at(Bound.STUCK);
            }
            var check = proposer.check(command, withState);
            var rules = check.data(); // refuses an unknown reaction before any wait
            var fence = proposer.fence(p);
            if (before != null && before.fence().epoch() != fence.epoch()) {
                if (!before.committed()) {
                    return null;
                }
                before = null; // all states of a later epoch include it
            }
            var basis = before == null ? expected.basis(check) : before.basis();
            if (budget.isSpent()) {
                throw WriteProblems.unavailable("it took too long");
            }
            var proposal = proposal(check, rules, basis);
            proposed = true;
            Reply reply = proposer.send(p, fence, proposal, alone, budget.remaining(), trace);
            long after = before == null ? 0 : before.seq();
            var replied = new Replied(reply, fence, check, after);
            if (before != null && reply instanceof Reply.Other) {
                return null;
            }
            if (isDefinite(replied)) {
                return replied;
            }
            ProposalResult stored = stored();
            if (stored != null) {
                return stored;
            }
        }
    }

    private Proposal proposal(RuleCheck check, Proposal.RuleData rules, Proposal.Basis basis) {
        var key = command.key();
        return new Proposal(
                UniqueNames.next(),
                Micros.now(),
                command.entityKey(),
                command.user(),
                command.kind(),
                check.keysWithForms(),
                rules,
                command.force(),
                command.existingIsFine(),
                key == null
                        ? null
                        : new Proposal.Idempotency(key.value(), key.requestHash(), request),
                basis,
                withState,
                check.attributes(),
                trace == null ? "" : trace.begin(command.namespace(), p));
    }

    /** Returns whether a reply is definite; otherwise the write must be proposed again. */
    private boolean isDefinite(Replied replied) {
        return switch (replied.reply()) {
            case Reply.Refused _, Reply.Accepted _ -> true;
            case Reply.Other other -> {
                var basis = Proposal.Basis.of(other.version(), other.op());
                yield !expected.holds(replied.seen(other), basis, replied.check());
            }
            case Reply.Fenced _ -> false;
            case Reply.StaleConfig _ -> {
                proposer.catchUp(p, replied.fence(), replied.check());
                yield false;
            }
            case Reply.Full _ ->
                    throw WriteProblems.unavailable("too many changes wait for Postgres")
                            .at(Bound.OUTBOX);
            case Reply.InFlight _ -> throw Problems.idempotencyInFlight();
            case Reply.Miss _, Reply.UserMiss _ ->
                    throw WriteProblems.unavailable("the entity could not be loaded")
                            .at(Bound.LOADS);
        };
    }

    /** Returns the result, or null for another proposal. Every answer waits for its commit. */
    @Override
    public @Nullable Completed settle(ProposalResult result) {
        return switch (result) {
            case StoredAnswer stored -> proposed ? stored.result() : stored.result().again();
            case Replied replied ->
                    switch (replied.reply()) {
                        case Reply.Accepted accepted -> settle(accepted, replied);
                        case Reply.Refused refused ->
                                refuse(replied, () -> replied.check().refusal(refused));
                        case Reply.Other other ->
                                refuse(
                                        replied,
                                        () -> command.condition().failed(replied.seen(other)));
                        default -> null;
                    };
        };
    }

    private @Nullable Completed settle(Reply.Accepted accepted, Replied replied) {
        return switch (await(replied)) {
            case COMMITTED -> replied.check().result(replied.fence().epoch(), accepted);
            case NOT_APPLIED -> again();
            case UNKNOWN -> throw unknown(accepted);
        };
    }

    /** Refuses the write once the state that forbids it is committed. */
    private @Nullable Completed refuse(Replied replied, Supplier<ProblemException> problem) {
        return switch (await(replied)) {
            case COMMITTED ->
                    // The first proposal of this request may have made the state that forbids it.
                    answers.find(command, withState).orElseThrow(problem);
            case NOT_APPLIED -> again();
            case UNKNOWN -> throw WriteProblems.unavailable("what forbids it is not committed yet");
        };
    }

    private Verdict await(Replied replied) {
        long seq = replied.decisive();
        Verdict verdict = commits.await(p, replied.fence().epoch(), seq, budget.remaining());
        if (trace != null && seq > 0) {
            trace.awaited(seq, verdict.name().toLowerCase(Locale.ROOT));
        }
        return verdict;
    }

    private ProblemException unknown(Reply.Accepted accepted) {
        boolean proposed = accepted.changed() || command.key() != null;
        return proposed
                ? WriteProblems.unknown()
                : WriteProblems.unavailable("what it rests on is not committed yet");
    }

    private @Nullable Completed again() {
        budget.conflict();
        return null;
    }

    /** Pauses after a rejection, before the next proposal; see {@link RetryBudget#pause()}. */
    @Override
    public void pause() {
        budget.pause();
    }

    @Override
    public void awaitAcknowledgement(int failed) {
        RetryBudget.pause(RetryBudget.acknowledgementMillis(failed));
    }
}
