package dev.ovation.reaction;

import dev.ovation.configuration.Rules;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.Fences;
import dev.ovation.hot.HotEntities;
import dev.ovation.hot.RedisUnavailableException;
import dev.ovation.hot.UnansweredException;
import dev.ovation.outbox.Commits;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PostgresGate;
import dev.ovation.web.Permits;
import dev.ovation.web.ProblemException;
import dev.ovation.web.Problems;

import org.springframework.dao.DataAccessException;

import java.time.Duration;

/**
 * Changes an entity: proposes the change in Redis, once, and answers when it is committed. It is
 * proposed again only after an answer which proves that nothing changed.
 */
final class Writer {

    private static final Duration SOON = Duration.ofSeconds(1);
    private final Tools tools;
    private final Permits permits;

    /** What a write works with. */
    record Tools(
            Rules rules,
            Partitions partitions,
            Fences fences,
            HotEntities hot,
            Commits commits,
            IdempotencyTable idempotency,
            PostgresGate gate,
            RequestSettings settings) {}

    Writer(Tools tools, Permits permits) {
        this.tools = tools;
        this.permits = permits;
    }

    WriteResult write(Command command, boolean withState) {
        try (var _ = permits.take()) {
            return new WriteAttempt(tools, command, withState).run();
        } catch (PostgresGate.BusyException | DataAccessException | RedisUnavailableException e) {
            throw Problems.unavailable("nothing was changed: the service is busy", SOON);
        } catch (UnansweredException e) {
            throw unknown();
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
