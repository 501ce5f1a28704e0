package dev.ovation.reaction.write;

import dev.ovation.hot.Fence;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.reaction.view.EntityView;

import org.jspecify.annotations.Nullable;

/** What is known of a write before its verdict is. */
sealed interface Said {

    /** It was done before, under this idempotency key. */
    record Kept(WriteResult result) implements Said {}

    /** What the script said of it. */
    record Replied(Reply reply, Fence fence, Ruling ruling) implements Said {

        /** What the next write on the entity must rest on: what this one does, and had to. */
        Before before(@Nullable Before earlier) {
            long seq =
                    switch (reply) {
                        case Reply.Accepted accepted -> accepted.seq();
                        case Reply.Refused refused -> refused.seq();
                        default -> 0;
                    };
            return new Before(fence, earlier == null ? seq : Math.max(seq, earlier.seq()));
        }

        EntityView seen(Reply.Other other) {
            return ruling.seen(fence.epoch(), other);
        }
    }

    /** An event of an entity that a sequence of writes made, or rests on. */
    record Before(Fence fence, long seq) {}
}
