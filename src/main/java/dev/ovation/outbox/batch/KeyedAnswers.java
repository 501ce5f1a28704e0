package dev.ovation.outbox.batch;

import dev.ovation.entity.WriteAnswer;
import dev.ovation.hot.state.Event;
import dev.ovation.store.IdempotencyTable.IdempotencyEntry;
import dev.ovation.store.IdempotencyTable.IdempotencyScope;
import dev.ovation.store.IdempotencyTable.UsedKey;

/** The rows of table {@code idempotency} that belong to events. */
final class KeyedAnswers {

    private KeyedAnswers() {}

    /** Returns the row that keeps the answer of an event of this epoch. */
    static IdempotencyEntry entry(Event event, Event.Keyed keyed, long epoch) {
        var answer =
                new WriteAnswer(
                        epoch,
                        event.version(),
                        event.addedWithForms(),
                        event.removed(),
                        keyed.counters(),
                        keyed.own(),
                        keyed.locked() ? true : null);
        return new IdempotencyEntry(
                scope(event, keyed), event.key().entity(), keyed.requestHash(), event.op(), answer);
    }

    /** Returns the key of an event. */
    static UsedKey used(Event event, Event.Keyed keyed) {
        return new UsedKey(scope(event, keyed), event.key().entity());
    }

    private static IdempotencyScope scope(Event event, Event.Keyed keyed) {
        return new IdempotencyScope(event.key().namespace(), event.user(), keyed.key());
    }
}
