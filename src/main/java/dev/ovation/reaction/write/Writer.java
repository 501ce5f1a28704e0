package dev.ovation.reaction.write;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.entity.Bound;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.Fences;
import dev.ovation.hot.HotEntities;
import dev.ovation.hot.RedisUnavailableException;
import dev.ovation.hot.UnansweredException;
import dev.ovation.outbox.Commits;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PostgresGate;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.http.RequestId;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/**
 * Changes entities: proposes a change in Redis, once, and answers when it is committed. It is
 * proposed again only after an answer which proves that nothing changed.
 */
public final class Writer {

    private static final Duration SOON = Duration.ofSeconds(1);
    private final Tools tools;
    private final Bulkhead permits;

    /**
     * What a write works with.
     *
     * @param deadline how long a write may take before its outcome is called unknown
     * @param attach how long a write waits for its partition to be attached
     */
    public record Tools(
            CurrentRules rules,
            Partitions partitions,
            Fences fences,
            HotEntities hot,
            Commits commits,
            IdempotencyTable idempotency,
            PostgresGate gate,
            Duration deadline,
            Duration attach) {}

    /** Takes a permit for each change. */
    public Writer(Tools tools, Bulkhead permits) {
        this.tools = tools;
        this.permits = permits;
    }

    /**
     * Makes a change; returns once it, if any, is committed.
     *
     * @param withState whether the result's entity must hold counts and the user's reactions
     * @throws ProblemException when it is refused, or when its outcome is not known
     */
    public WriteResult write(Command command, boolean withState) {
        try (var _ = permits.take()) {
            return new WriteAttempt(tools, command, withState).run();
        } catch (RuntimeException e) {
            ProblemException known = problem(e);
            throw known == null ? e : known;
        }
    }

    /**
     * Makes many changes: those on one entity in order, and entities at the same time.
     *
     * @return in the order of the commands; without entities
     * @throws ProblemException when nothing was done
     */
    public List<Outcome> write(List<Command> commands) {
        List<WriteSequence.Step> steps = new ArrayList<>();
        Map<EntityKey, WriteSequence> sequences = new LinkedHashMap<>();
        try (var _ = permits.take(commands.size());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Command command : commands) {
                steps.add(
                        sequences
                                .computeIfAbsent(command.entityKey(), _ -> new WriteSequence())
                                .then(new WriteAttempt(tools, command, false)));
            }
            sequences.values().forEach(one -> threads.execute(RequestId.carried(one)));
        }
        return steps.stream().map(WriteSequence.Step::outcome).toList();
    }

    /** What a client is told of a failure; null for one that nobody expects. */
    static @Nullable ProblemException problem(RuntimeException failure) {
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

    /** Waits so long before the next try, or until the thread is interrupted. */
    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static ProblemException unknown() {
        return Problems.outcomeUnknown(
                "the change was made or will be, or not; a retry with the same Idempotency-Key is safe",
                SOON);
    }

    static ProblemException unavailable(String reason) {
        return Problems.unavailable("nothing was changed: " + reason, SOON);
    }
}
