package dev.ovation.reaction.write;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.HotEntities;
import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.CommitWaiter;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.trace.TraceSpan;
import dev.ovation.trace.WriteTrace;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.http.RequestId;
import dev.ovation.web.problem.ProblemException;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Changes entities: proposes a change in Redis once, and answers after its commit. A change is
 * proposed again only after a reply which proves that nothing changed.
 */
public final class WriteService {

    private final Proposer proposer;
    private final StoredAnswers answers;
    private final CommitWaiter commits;
    private final Bulkhead permits;
    private final Duration deadline;

    /**
     * Creates a service that takes one permit for each change.
     *
     * @param texts whether a text may be a reaction of a set that is open to any text, by its key
     * @param bans refuses a banned user in a namespace, by the problem that it throws
     * @param deadline time that a write may take before its outcome is reported as unknown
     * @param attach time that a write waits for its partition to be attached
     * @param clock judges the seasons of reactions
     */
    public WriteService(
            CurrentRules rules,
            Fences fences,
            HotEntities hot,
            CommitWaiter commits,
            IdempotencyTable idempotency,
            PostgresBulkhead gate,
            Predicate<String> texts,
            BiConsumer<String, String> bans,
            Bulkhead permits,
            Duration deadline,
            Duration attach,
            Clock clock) {
        this.proposer = new Proposer(rules, fences, hot, commits, texts, bans, attach, clock);
        this.answers = new StoredAnswers(idempotency, gate, rules);
        this.commits = commits;
        this.permits = permits;
        this.deadline = deadline;
    }

    /**
     * Makes a change; returns once the change, if any, is committed.
     *
     * @param withState whether the result must have the state of the entity
     * @param within time that it may take before its outcome is reported as unknown, if it is
     *     shorter than that of the service
     * @throws ProblemException when the change is refused, or when its outcome is unknown
     */
    public Completed write(Command command, boolean withState, Duration within) {
        try (var _ = permits.take()) {
            Duration time = within.compareTo(deadline) < 0 ? within : deadline;
            return loop(command, withState, time, WriteTrace.ALONE).run();
        } catch (RuntimeException e) {
            ProblemException known = WriteProblems.of(e);
            throw known == null ? e : known;
        }
    }

    /**
     * Makes many changes: those on one entity in order, and different entities at the same time.
     *
     * @return in the order of the commands; without entities
     * @throws ProblemException when nothing was done
     */
    public List<WriteOutcome> write(List<Command> commands) {
        List<WriteSequence.SequencedWrite> steps = new ArrayList<>();
        Map<EntityKey, WriteSequence> sequences = new LinkedHashMap<>();
        try (var _ = permits.take(commands.size());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Command command : commands) {
                steps.add(
                        sequences
                                .computeIfAbsent(command.entityKey(), _ -> new WriteSequence())
                                .then(loop(command, false, deadline, steps.size())));
            }
            sequences
                    .values()
                    .forEach(one -> threads.execute(TraceSpan.carried(RequestId.carried(one))));
        }
        return steps.stream().map(WriteSequence.SequencedWrite::outcome).toList();
    }

    private WriteLoop loop(Command command, boolean withState, Duration time, int operation) {
        var budget = new RetryBudget(time);
        var trace = WriteTrace.of(operation);
        return new WriteLoop(proposer, answers, commits, command, withState, budget, trace);
    }
}
