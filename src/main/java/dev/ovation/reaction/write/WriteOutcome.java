package dev.ovation.reaction.write;

import dev.ovation.reaction.view.EntityView;
import dev.ovation.web.problem.ProblemException;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The outcome of a write. */
public sealed interface WriteOutcome {

    /**
     * The write was executed.
     *
     * @param applied false when it changed nothing
     * @param added reactions that the user gained
     * @param removed reactions that the user lost
     * @param own the user's reactions after the write
     * @param state state after the write, with the user's reactions; null when the caller did not
     *     ask for it
     * @param replayed whether an earlier request with the same idempotency key was executed, and
     *     not this one
     */
    record Completed(
            boolean applied,
            List<String> added,
            List<String> removed,
            List<String> own,
            @Nullable EntityView state,
            boolean replayed)
            implements WriteOutcome {

        /** The result of this request. */
        public Completed(
                boolean applied,
                List<String> added,
                List<String> removed,
                List<String> own,
                @Nullable EntityView state) {
            this(applied, added, removed, own, state, false);
        }

        /** Returns the same result, as that of an earlier request. */
        Completed again() {
            return new Completed(applied, added, removed, own, state, true);
        }

        /** Returns the outcome as clients see it. */
        public String label() {
            return applied ? "applied" : "unchanged";
        }

        /** Returns the reactions that the user had and still has. */
        public List<String> unchanged() {
            return own.stream().filter(each -> !added.contains(each)).toList();
        }

        /**
         * Returns the state after the write.
         *
         * @throws IllegalStateException when the caller did not ask for it
         */
        public EntityView entity() {
            if (state == null) {
                throw new IllegalStateException("the write was made without its state");
            }
            return state;
        }
    }

    /** The write was refused, or its outcome is unknown. */
    record Problematic(ProblemException problem) implements WriteOutcome {}
}
