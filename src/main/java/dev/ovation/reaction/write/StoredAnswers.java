package dev.ovation.reaction.write;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.problem.Problems;

import java.time.Instant;
import java.util.Optional;

/** Answers that are stored under idempotency keys. */
final class StoredAnswers {

    private final IdempotencyTable table;
    private final PostgresBulkhead gate;
    private final CurrentRules rules;

    StoredAnswers(IdempotencyTable table, PostgresBulkhead gate, CurrentRules rules) {
        this.table = table;
        this.gate = gate;
        this.rules = rules;
    }

    /**
     * Returns the result that is stored under the key of a command; empty for a command without a
     * key.
     *
     * @throws dev.ovation.web.problem.ProblemException when the key belongs to another request
     */
    Optional<Completed> find(Command command, boolean withState) {
        var given = command.key();
        if (given == null) {
            return Optional.empty();
        }
        var scope =
                new IdempotencyTable.IdempotencyScope(
                        command.namespace(), command.user(), given.value());
        return gate.ask(() -> table.find(scope, command.entityKey().entity()))
                .map(
                        entry -> {
                            if (!entry.requestHash().equals(given.requestHash())) {
                                throw Problems.idempotencyMismatch();
                            }
                            return new RuleCheck(
                                            rules.current(),
                                            command,
                                            withState,
                                            Instant.EPOCH,
                                            _ -> true)
                                    .result(entry.answer());
                        });
    }
}
