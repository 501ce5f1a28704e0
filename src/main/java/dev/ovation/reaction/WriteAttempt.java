package dev.ovation.reaction;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Micros;
import dev.ovation.entity.WriteAnswer;
import dev.ovation.hot.Fence;
import dev.ovation.hot.Proposal;
import dev.ovation.hot.Tokens;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.namespace.NamespaceRules;
import dev.ovation.namespace.ReactionKey;
import dev.ovation.outbox.Verdict;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.web.ProblemException;
import dev.ovation.web.Problems;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;

/** One write, with all its tries; see {@link Writer}. */
final class WriteAttempt {

    private static final int MOST_CONFLICTS = 3;
    private static final long PAUSE_MILLIS = 5;

    private final Writer.Tools tools;
    private final Command command;
    private final boolean withState;
    private final EntityKey key;
    private final int p;
    private final String reaction;
    private final String request = Tokens.next();
    private final long deadline;
    private int conflicts;

    WriteAttempt(Writer.Tools tools, Command command, boolean withState) {
        this.tools = tools;
        this.command = command;
        this.withState = withState;
        this.key = new EntityKey(command.namespace(), command.entity());
        this.p = tools.partitions().of(key);
        this.deadline = System.nanoTime() + tools.settings().deadline().toNanos();
        this.reaction = ReactionKey.of(command.reaction());
    }

    WriteResult run() {
        while (true) {
            Optional<WriteResult> kept = firstAnswer();
            if (kept.isPresent()) {
                return kept.get();
            }
            if (tools.commits().areStuck(p)) {
                throw Writer.unavailable("changes do not get through to Postgres");
            }
            var current = tools.rules().current();
            var decided = decide(current);
            if (decided == null) {
                continue;
            }
            var fence = tools.fences().await(p, tools.settings().attach());
            if (fence == null) {
                throw Writer.unavailable("Redis cannot be used");
            }
            Reply reply = tools.hot().react(p, fence, proposal(decided), remaining());
            WriteResult result = settle(reply, fence, current);
            if (result != null) {
                return result;
            }
            if (remaining().isZero()) {
                throw Writer.unavailable("it took too long");
            }
        }
    }

    /** What the rules say; null when there were newer ones, which are in force here now. */
    private Proposal.@Nullable Rules decide(RulesInForce current) {
        if (command.kind() == Command.Kind.REMOVE) {
            return Proposal.Rules.NONE;
        }
        NamespaceRules namespace = current.namespace(command.namespace());
        String wanted = namespace == null ? null : namespace.key(command.reaction());
        if (namespace != null && wanted != null) {
            return new Proposal.Rules(
                    current.version(),
                    namespace.excluded(wanted),
                    namespace.maxUniqReactions(),
                    namespace.keys());
        }
        if (tools.rules().catchUpIfOlder(current.version())) {
            return null;
        }
        throw namespace == null
                ? Problems.unknownNamespaceOnWrite(command.namespace())
                : Problems.unknownReaction(command.reaction(), command.namespace());
    }

    private Proposal proposal(Proposal.Rules decided) {
        var idempotencyKey = command.key();
        return new Proposal(
                Tokens.next(),
                Micros.now(),
                key,
                command.user(),
                command.kind() == Command.Kind.ADD,
                reaction,
                decided,
                command.force(),
                command.existingIsFine(),
                idempotencyKey == null
                        ? null
                        : new Proposal.Idempotency(
                                idempotencyKey.value(), idempotencyKey.requestHash(), request),
                withState);
    }

    /** Returns the result, or null to try again; whatever is told waited for its commit. */
    private @Nullable WriteResult settle(Reply reply, Fence fence, RulesInForce current) {
        var views = new Views(current, key);
        return switch (reply) {
            case Reply.Fenced _ -> null;
            case Reply.StaleConfig _ -> {
                if (!tools.rules().catchUp(current.version())) {
                    throw Writer.unavailable("newer rules are in force than Postgres knows");
                }
                yield null;
            }
            case Reply.Full _ -> throw Writer.unavailable("too many changes wait for Postgres");
            case Reply.InFlight _ -> throw Problems.idempotencyInFlight();
            case Reply.Miss _, Reply.UserMiss _ ->
                    throw Writer.unavailable("the entity could not be loaded");
            case Reply.Refused refused ->
                    switch (await(fence, refused.seq())) {
                        case COMMITTED ->
                                // What forbids it may be this very request's first attempt.
                                firstAnswer().orElseThrow(() -> refusal(refused, current, views));
                        case NOT_APPLIED -> again();
                        case UNKNOWN ->
                                throw Writer.unavailable("what forbids it is not committed yet");
                    };
            case Reply.Accepted accepted ->
                    switch (await(fence, accepted.seq())) {
                        case COMMITTED -> result(accepted, fence, views);
                        case NOT_APPLIED -> again();
                        case UNKNOWN -> throw unknown(accepted);
                    };
        };
    }

    private Verdict await(Fence fence, long seq) {
        return tools.commits().await(p, fence.epoch(), seq, remaining());
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
        try {
            // Another instance may have rejected it, and be about to remove the doomed state.
            Thread.sleep(PAUSE_MILLIS * conflicts);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    private ProblemException refusal(Reply.Refused refused, RulesInForce current, Views views) {
        String spelled = views.spelling(reaction);
        return switch (refused.reason()) {
            case EXISTS -> Problems.reactionAlreadyExists(spelled, command.user());
            case CONFLICT -> Problems.conflicting(spelled, views.spelled(refused.conflicting()));
            case LIMIT -> {
                var namespace = current.namespace(command.namespace());
                yield Problems.maxUniqReactions(
                        namespace == null ? 0 : namespace.maxUniqReactions());
            }
        };
    }

    private WriteResult result(Reply.Accepted accepted, Fence fence, Views views) {
        return new WriteResult(
                accepted.changed(),
                views.spelled(accepted.added()),
                views.spelled(accepted.removed()),
                views.view(
                        fence.epoch(),
                        accepted.version(),
                        accepted.counters(),
                        command.user(),
                        accepted.own()));
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
                            return result(entry.answer());
                        });
    }

    private WriteResult result(WriteAnswer answer) {
        var views = new Views(tools.rules().current(), key);
        return new WriteResult(
                !(answer.added().isEmpty() && answer.removed().isEmpty()),
                views.spelled(answer.added()),
                views.spelled(answer.removed()),
                views.view(
                        answer.epoch(),
                        answer.version(),
                        answer.counters(),
                        command.user(),
                        answer.own()));
    }

    private Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }
}
