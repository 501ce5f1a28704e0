package dev.ovation.reaction.write;

import dev.ovation.hot.Fence;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.reaction.view.EntityView;

/** What is known of a write before its verdict is. */
sealed interface Said {

    /** It was done before, under this idempotency key. */
    record Kept(WriteResult result) implements Said {}

    /**
     * The reply of the script.
     *
     * @param after seq of the event that the judged state had to include; 0 for none
     */
    record Replied(Reply reply, Fence fence, Ruling ruling, long after) implements Said {

        /** The event that the state for the next write on the entity must include. */
        Before before() {
            return new Before(fence, decisive());
        }

        /**
         * Returns the last event that the reply rests on. A reply that changes nothing names an
         * event that may be older than the one that the operation was judged after.
         */
        long decisive() {
            return reply instanceof Reply.Judged judged ? Math.max(judged.seq(), after) : after;
        }

        EntityView seen(Reply.Other other) {
            return ruling.seen(fence.epoch(), other);
        }
    }

    /** An event of an entity that a sequence of writes made, or rests on. */
    record Before(Fence fence, long seq) {}
}
