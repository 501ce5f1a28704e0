package dev.ovation.reaction.write;

import dev.ovation.reaction.write.ProposalResult.DependsOn;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Writes on one entity, in order, that wait for their commits together. Each write is proposed once
 * Redis has replied to the one before, and judged only on a state that includes it. When such a
 * state is lost, no write is proposed until the outcomes of the proposed ones are known. Then the
 * first lost write is proposed first, which preserves the order. It is repeated until Redis has the
 * acknowledgement of the committed ones.
 */
final class WriteSequence implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(WriteSequence.class);

    private final Deque<SequencedWrite> todo = new ArrayDeque<>();
    private @Nullable DependsOn committed;

    /** A write as the sequence needs it. The methods are those of {@link WriteLoop}. */
    interface Write {
        @Nullable ProposalResult propose(@Nullable DependsOn before);

        @Nullable ProposalResult proposeAgain(@Nullable DependsOn before);

        @Nullable Completed settle(ProposalResult proposed);

        void pause();

        /**
         * Waits until Redis may have the acknowledgement of the committed writes.
         *
         * @param failed proposals of this write since the commit
         */
        void awaitAcknowledgement(int failed);
    }

    /** One write of the sequence. */
    static final class SequencedWrite {
        private final Write write;
        private @Nullable ProposalResult proposed;
        private boolean lostBase;
        private @Nullable WriteOutcome outcome;

        private SequencedWrite(Write write) {
            this.write = write;
        }

        /** Returns the outcome, once the sequence has run. */
        WriteOutcome outcome() {
            return Objects.requireNonNull(outcome);
        }

        /** Returns null, and stores the problem, on a failure. */
        private <T> @Nullable T tried(Supplier<@Nullable T> part) {
            try {
                return part.get();
            } catch (RuntimeException e) {
                ProblemException known = WriteProblems.of(e);
                if (known == null) {
                    LOG.error("An operation of a batch failed: {}", e.getClass().getName());
                    LOG.debug("Exception detail", e);
                }
                outcome = new WriteOutcome.Problematic(known == null ? internal() : known);
                return null;
            }
        }

        private static ProblemException internal() {
            return new ProblemException(ProblemCode.INTERNAL, ProblemCode.INTERNAL.title());
        }

        /** Returns whether the write has a reply or a failure. */
        private boolean propose(@Nullable DependsOn before) {
            proposed = tried(() -> lostBase ? write.proposeAgain(before) : write.propose(before));
            lostBase = proposed == null;
            return proposed != null || outcome != null;
        }

        /** Returns whether the outcome is known. */
        private boolean settle() {
            ProposalResult known = proposed;
            Completed result = known == null ? null : tried(() -> write.settle(known));
            if (result != null) {
                outcome = result;
            }
            return outcome != null;
        }

        /** Returns the event that the next write must include; null for none. */
        private @Nullable DependsOn dependsOn() {
            return proposed instanceof ProposalResult.Replied replied ? replied.dependsOn() : null;
        }
    }

    /** Adds a write at the end. */
    SequencedWrite then(Write write) {
        var step = new SequencedWrite(write);
        todo.add(step);
        return step;
    }

    @Override
    public void run() {
        int failed = 0;
        while (!todo.isEmpty()) {
            List<SequencedWrite> again = new ArrayList<>();
            List<SequencedWrite> proposed = proposed();
            failed = proposed.isEmpty() ? failed + 1 : 0;
            for (SequencedWrite step : proposed) {
                if (!step.settle()) {
                    again.add(step);
                } else if (again.isEmpty() && step.outcome instanceof Completed) {
                    DependsOn before = step.dependsOn();
                    committed = before == null ? committed : before.afterCommit();
                }
            }
            if (again.isEmpty() && !todo.isEmpty()) {
                todo.getFirst().write.awaitAcknowledgement(failed);
            }
            if (!again.isEmpty()) {
                again.getLast().write.pause();
                again.reversed().forEach(todo::addFirst);
            }
        }
    }

    /** Proposes as many writes as can be judged upon each other. */
    private List<SequencedWrite> proposed() {
        List<SequencedWrite> proposed = new ArrayList<>();
        DependsOn before = committed;
        while (!todo.isEmpty() && todo.getFirst().propose(before)) {
            SequencedWrite step = todo.removeFirst();
            proposed.add(step);
            DependsOn next = step.dependsOn();
            before = next == null ? before : next;
        }
        return proposed;
    }
}
