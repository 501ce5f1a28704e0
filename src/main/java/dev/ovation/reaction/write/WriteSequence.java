package dev.ovation.reaction.write;

import dev.ovation.reaction.write.Said.Before;
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
 * Writes on one entity, in order, that wait for their commits together. Each is proposed as soon as
 * the one before has its answer from Redis, and judged only on a state that includes it. When such
 * a state is lost, nothing more is proposed until it is known what became of what was; then that
 * goes first again, and so the order stays.
 */
final class WriteSequence implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(WriteSequence.class);

    private static final long REST_MILLIS = 20;

    private final Deque<Step> todo = new ArrayDeque<>();

    /** One of the writes. */
    static final class Step {
        private final WriteAttempt attempt;
        private @Nullable Said said;
        private @Nullable Outcome outcome;

        private Step(WriteAttempt attempt) {
            this.attempt = attempt;
        }

        /** What became of it, once the sequence has run. */
        Outcome outcome() {
            return Objects.requireNonNull(outcome);
        }

        /** Returns null, and remembers the problem, when it fails. */
        private <T> @Nullable T tried(Supplier<@Nullable T> part) {
            try {
                return part.get();
            } catch (RuntimeException e) {
                ProblemException known = Writer.problem(e);
                if (known == null) {
                    LOG.error("An operation of a batch failed: {}", e.getClass().getName());
                    LOG.debug("the same with its message", e);
                }
                outcome = new Outcome.Failed(known == null ? internal() : known);
                return null;
            }
        }

        private static ProblemException internal() {
            return new ProblemException(ProblemCode.INTERNAL, ProblemCode.INTERNAL.title());
        }

        /** Returns whether something is known of it now, be it that it failed. */
        private boolean propose(@Nullable Before before) {
            said = tried(() -> attempt.propose(before, false));
            return said != null || outcome != null;
        }

        /** Returns whether its outcome is known now. */
        private boolean settle() {
            Said known = said;
            WriteResult result = known == null ? null : tried(() -> attempt.settle(known));
            if (result != null) {
                outcome = new Outcome.Done(result);
            }
            return outcome != null;
        }
    }

    /** Adds a write at the end. */
    Step then(WriteAttempt attempt) {
        var step = new Step(attempt);
        todo.add(step);
        return step;
    }

    @Override
    public void run() {
        while (!todo.isEmpty()) {
            List<Step> again = new ArrayList<>();
            for (Step step : proposed()) {
                if (!step.settle()) {
                    again.add(step);
                }
            }
            if (again.isEmpty() && !todo.isEmpty()) {
                // Redis may be about to learn of the commit, and have an older state still.
                Writer.pause(REST_MILLIS);
            }
            if (!again.isEmpty()) {
                again.getLast().attempt.pause();
                again.reversed().forEach(todo::addFirst);
            }
        }
    }

    /** Proposes as many as can be judged upon each other. */
    private List<Step> proposed() {
        List<Step> proposed = new ArrayList<>();
        Before before = null;
        while (!todo.isEmpty() && todo.getFirst().propose(before)) {
            Step step = todo.removeFirst();
            proposed.add(step);
            if (step.said instanceof Said.Replied replied) {
                before = replied.before();
            }
        }
        return proposed;
    }
}
