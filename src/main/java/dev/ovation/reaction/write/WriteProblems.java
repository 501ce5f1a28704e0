package dev.ovation.reaction.write;

import dev.ovation.entity.Bound;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.reaction.view.Views;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionKey;
import dev.ovation.rules.constraint.Constraint;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.function.Function;

/** Problems that clients get for writes that failed. */
final class WriteProblems {

    private static final Duration SOON = Duration.ofSeconds(1);

    private WriteProblems() {}

    /** Returns the problem of a failure; null for an unexpected one. */
    static @Nullable ProblemException of(RuntimeException failure) {
        return switch (failure) {
            case ProblemException problem -> problem;
            case RedisUnavailableException _ ->
                    unavailable("Redis cannot be used").at(Bound.ATTACH);
            case DataAccessException _ ->
                    Problems.unavailable("nothing was changed: the service is busy", SOON)
                            .because(failure);
            case UnansweredException _ -> unknown();
            default -> null;
        };
    }

    /**
     * Returns the problem of a refusal by the rules.
     *
     * @param namespace null for an unknown one
     * @param views give the configured spelling of reactions
     * @param unavailable why the reaction of a key cannot be added now, as the second half of a
     *     sentence; null when it can
     */
    static ProblemException refusal(
            Reply.Refused refused,
            Command command,
            @Nullable NamespaceRules namespace,
            Views views,
            Function<String, @Nullable String> unavailable) {
        return switch (refused.reason()) {
            case EXISTS -> exists(command, namespace, views);
            case UNKNOWN ->
                    unknown(views.spelling(refused.reaction()), command, namespace, unavailable);
            case CONFLICT ->
                    Problems.conflicting(
                            views.spelling(refused.reaction()),
                            views.spelled(refused.conflicting()));
            case LIMIT ->
                    Problems.maxUniqReactions(namespace == null ? 0 : namespace.maxUniqReactions());
            case TOO_MANY -> Problems.tooManyReactions(limitOfUser(namespace));
            case LOCKED -> Problems.entityLocked(command.entity());
            case CONSTRAINT -> violated(refused.constraint(), namespace);
            case CLOSED -> closed(refused.reaction(), views, unavailable);
        };
    }

    private static ProblemException exists(
            Command command, @Nullable NamespaceRules namespace, Views views) {
        String id = command.reaction();
        String key = namespace == null ? ReactionKey.of(id) : namespace.keyOf(id);
        return Problems.reactionAlreadyExists(views.spelling(key), command.user());
    }

    /**
     * Returns the problem of a reaction, or of a namespace, that the rules do not know or offer.
     */
    static ProblemException unknown(
            String reaction,
            Command command,
            @Nullable NamespaceRules namespace,
            Function<String, @Nullable String> unavailable) {
        if (namespace == null) {
            return Problems.unknownNamespaceOnWrite(command.namespace());
        }
        String why = unavailable.apply(namespace.keyOf(reaction));
        return why == null
                ? Problems.unknownReaction(reaction, command.namespace())
                : Problems.reactionNotAvailable(reaction, why);
    }

    /** The season ended after the check, or a put adds a reaction that is not available. */
    private static ProblemException closed(
            String key, Views views, Function<String, @Nullable String> unavailable) {
        String why = unavailable.apply(key);
        return Problems.reactionNotAvailable(
                views.spelling(key), why == null ? "is not available any more" : why);
    }

    private static int limitOfUser(@Nullable NamespaceRules namespace) {
        Integer limit = namespace == null ? null : namespace.maxReactionsPerUser();
        return limit == null ? 0 : limit;
    }

    private static ProblemException violated(int number, @Nullable NamespaceRules namespace) {
        Constraint constraint = namespace == null ? null : namespace.constraints().get(number);
        return constraint == null
                ? Problems.constraintViolated("", "a constraint refuses the change")
                : Problems.constraintViolated(constraint.id(), constraint.message());
    }

    /** Returns the problem of a write that may have changed something. */
    static ProblemException unknown() {
        return Problems.outcomeUnknown(
                "the change was made or will be, or not; a retry with the same Idempotency-Key is safe",
                SOON);
    }

    /** Returns the problem of a write that changed nothing. */
    static ProblemException unavailable(String reason) {
        return Problems.unavailable("nothing was changed: " + reason, SOON);
    }
}
