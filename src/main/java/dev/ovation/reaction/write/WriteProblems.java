package dev.ovation.reaction.write;

import dev.ovation.entity.Bound;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import java.time.Duration;

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
