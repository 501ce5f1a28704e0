package dev.ovation.reaction.write;

import dev.ovation.entity.Bound;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Micros;
import dev.ovation.hot.Fence;
import dev.ovation.hot.Proposal;
import dev.ovation.hot.Tokens;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.outbox.Verdict;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One write, with all its tries; see {@link Writer}. */
final class WriteAttempt {

    private static final int MOST_CONFLICTS = 3;
    private static final long PAUSE_MILLIS = 5;
    private static final CompletableFuture<?> AT_ONCE = CompletableFuture.completedFuture(null);

    private final Writer.Tools tools;
    private final Command command;
    private final boolean withState;
    private final EntityKey key;
    private final int p;
    private final String request = Tokens.next();
    private final long deadline;
    private final Precondition condition;
    private int conflicts;

    WriteAttempt(Writer.Tools tools, Command command, boolean withState) {
        this.tools = tools;
        this.command = command;
        this.withState = withState;
        this.key = command.entityKey();
        this.p = tools.partitions().of(key);
        this.deadline = System.nanoTime() + tools.deadline().toNanos();
        this.condition = new Precondition(command.condition());
    }

    WriteResult run() {
        while (true) {
            Said said = propose(null, true);
            WriteResult result = said == null ? null : settle(said);
            if (result != null) {
                return result;
            }
            pause();
        }
    }

    /**
     * Proposes the write until something is known of it.
     *
     * @param before what the state must include on which it is judged; null for nothing
     * @param alone whether it is settled next: then this returns when that need not wait
     * @return null when it does not, or when nobody can tell: that must be settled first
     */
    @Nullable Said propose(Said.@Nullable Before before, boolean alone) {
        while (true) {
            Optional<WriteResult> kept = firstAnswer();
            if (kept.isPresent()) {
                return new Said.Kept(kept.get());
            }
            if (tools.commits().areStuck(p)) {
                throw Writer.unavailable("changes do not get through to Postgres").at(Bound.STUCK);
            }
            var ruling = new Ruling(tools.rules().current(), command);
            var decided = ruling.decided();
            if (decided == null) {
                if (tools.rules().catchUpIfOlder(ruling.rules().version())) {
                    continue;
                }
                decided = ruling.unknowing();
            }
            var fence = tools.fences().await(p, tools.attach());
            if (fence == null) {
                throw Writer.unavailable("Redis cannot be used").at(Bound.ATTACH);
            }
            if (before != null && before.fence().epoch() != fence.epoch()) {
                return null;
            }
            var basis =
                    before == null ? condition.basis(ruling) : Proposal.Basis.after(before.seq());
            Reply reply =
                    tools.hot()
                            .react(
                                    p,
                                    fence,
                                    proposal(ruling, decided, basis),
                                    remaining(),
                                    said -> alone ? verdict(fence, said) : AT_ONCE);
            if (before != null && reply instanceof Reply.Other) {
                return null;
            }
            var replied = new Said.Replied(reply, fence, ruling, before == null ? 0 : before.seq());
            if (isDefinite(replied)) {
                return replied;
            }
            if (remaining().isZero()) {
                throw Writer.unavailable("it took too long");
            }
        }
    }

    /** What a reply that says something about the write has to wait for before it may be told. */
    private CompletableFuture<?> verdict(Fence fence, Reply reply) {
        return switch (reply) {
            case Reply.Accepted accepted ->
                    tools.commits().expect(p, fence.epoch(), accepted.seq());
            case Reply.Refused refused -> tools.commits().expect(p, fence.epoch(), refused.seq());
            default -> AT_ONCE;
        };
    }

    private Proposal proposal(Ruling ruling, Proposal.Rules decided, Proposal.Basis basis) {
        var idempotencyKey = command.key();
        return new Proposal(
                Tokens.next(),
                Micros.now(),
                key,
                command.user(),
                Proposal.Kind.valueOf(command.kind().name()),
                ruling.keys(),
                decided,
                command.force(),
                command.existingIsFine(),
                idempotencyKey == null
                        ? null
                        : new Proposal.Idempotency(
                                idempotencyKey.value(), idempotencyKey.requestHash(), request),
                basis,
                withState);
    }

    /** Whether a reply says something about the write; else it must be proposed again. */
    private boolean isDefinite(Said.Replied said) {
        return switch (said.reply()) {
            case Reply.Refused _, Reply.Accepted _ -> true;
            case Reply.Other other -> {
                var basis = Proposal.Basis.of(other.version(), other.op());
                yield !condition.holds(said.seen(other), basis, said.ruling());
            }
            case Reply.Fenced _ -> false;
            case Reply.StaleConfig _ -> {
                if (!tools.rules().catchUp(said.ruling().rules().version())) {
                    // Postgres was restored to a state before these rules: attaching anew ends the
                    // epoch, and the next one begins with the rules that Postgres has.
                    tools.fences().lose(p, said.fence());
                    throw Writer.unavailable("newer rules are in force than Postgres knows");
                }
                yield false;
            }
            case Reply.Full _ ->
                    throw Writer.unavailable("too many changes wait for Postgres").at(Bound.OUTBOX);
            case Reply.InFlight _ -> throw Problems.idempotencyInFlight();
            case Reply.Miss _, Reply.UserMiss _ ->
                    throw Writer.unavailable("the entity could not be loaded").at(Bound.LOADS);
        };
    }

    /** Returns the result, or null to try again; whatever is told waited for its commit. */
    @Nullable WriteResult settle(Said said) {
        return switch (said) {
            case Said.Kept kept -> kept.result();
            case Said.Replied replied ->
                    switch (replied.reply()) {
                        case Reply.Accepted accepted -> settle(accepted, replied);
                        case Reply.Refused refused ->
                                refuse(replied, () -> replied.ruling().refusal(refused));
                        case Reply.Other other ->
                                refuse(replied, () -> IfMatch.failed(replied.seen(other)));
                        default -> null;
                    };
        };
    }

    private @Nullable WriteResult settle(Reply.Accepted accepted, Said.Replied said) {
        return switch (await(said)) {
            case COMMITTED -> said.ruling().result(said.fence().epoch(), accepted);
            case NOT_APPLIED -> again();
            case UNKNOWN -> throw unknown(accepted);
        };
    }

    /** Refuses when what forbids it is committed. */
    private @Nullable WriteResult refuse(Said.Replied said, Supplier<ProblemException> problem) {
        return switch (await(said)) {
            case COMMITTED ->
                    // What forbids it may be this very request's first attempt.
                    firstAnswer().orElseThrow(problem);
            case NOT_APPLIED -> again();
            case UNKNOWN -> throw Writer.unavailable("what forbids it is not committed yet");
        };
    }

    private Verdict await(Said.Replied said) {
        return tools.commits().await(p, said.fence().epoch(), said.decisive(), remaining());
    }

    private ProblemException unknown(Reply.Accepted accepted) {
        boolean proposed = accepted.changed() || command.key() != null;
        return proposed
                ? Writer.unknown()
                : Writer.unavailable("what it rests on is not committed yet");
    }

    private @Nullable WriteResult again() {
        if (++conflicts > MOST_CONFLICTS) {
            throw Writer.unavailable("others changed the entity at the same time");
        }
        return null;
    }

    /** Another instance may have rejected it, and be about to remove the doomed state. */
    void pause() {
        Writer.pause(PAUSE_MILLIS * conflicts);
    }

    /** The answer that is kept under this request's idempotency key. */
    private Optional<WriteResult> firstAnswer() {
        var given = command.key();
        if (given == null) {
            return Optional.empty();
        }
        var scope = new IdempotencyTable.Key(command.namespace(), command.user(), given.value());
        return tools.gate()
                .ask(() -> tools.idempotency().find(scope))
                .map(
                        entry -> {
                            if (!entry.requestHash().equals(given.requestHash())) {
                                throw Problems.idempotencyMismatch();
                            }
                            return new Ruling(tools.rules().current(), command)
                                    .result(entry.answer());
                        });
    }

    private Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }
}
