package dev.ovation.reaction.write;

import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Proposal;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.write.WriteOutcome.Completed;

/** The result of proposing a write, before the verdict. */
sealed interface ProposalResult {

    /** The write was executed before, under this idempotency key. */
    record StoredAnswer(Completed result) implements ProposalResult {}

    /**
     * The reply of the script.
     *
     * @param after seq of the event that the base had to include; 0 for none
     */
    record Replied(Reply reply, Fence fence, RuleCheck check, long after)
            implements ProposalResult {

        /** Returns the event that the base of the next write on the entity must include. */
        DependsOn dependsOn() {
            return new DependsOn(fence, decisive(), false);
        }

        /**
         * Returns the last event that the reply depends on. A reply without a change names an event
         * that may be older than the event that the base had to include.
         */
        long decisive() {
            return reply instanceof Reply.Judged judged ? Math.max(judged.seq(), after) : after;
        }

        EntityView seen(Reply.Other other) {
            return check.seen(fence.epoch(), other);
        }
    }

    /**
     * An event of an entity that a sequence of writes made, or depends on.
     *
     * @param committed whether the event is known to be committed
     */
    record DependsOn(Fence fence, long seq, boolean committed) {

        DependsOn afterCommit() {
            return new DependsOn(fence, seq, true);
        }

        Proposal.Basis basis() {
            return committed ? Proposal.Basis.afterCommit(seq) : Proposal.Basis.after(seq);
        }
    }
}
