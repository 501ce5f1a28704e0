package dev.ovation.outbox.relay;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;

import java.util.List;

/** Events that change nothing, for tests that need only their numbers. */
final class Events {

    private Events() {}

    /** Creates the event {@code seq} with op {@code op<seq>} by Ann. */
    static Event event(long seq, EntityKey key) {
        return new Event(
                seq,
                "op" + seq,
                "op" + (seq - 1),
                key,
                "ann",
                seq - 1,
                seq,
                List.of(),
                List.of(),
                List.of(),
                seq,
                1,
                null);
    }
}
