package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;
import dev.ovation.testing.TestRules;

import java.time.Instant;

/**
 * The reactions of {@link Space#RULED} that are not always available: one until a time during the
 * run, and one for adults.
 */
record Season(Instant ends) {

    static final int SEASONAL = Space.RULED.bits("g");
    static final int FOR_ADULTS = Space.RULED.bits("h");

    void defineIn(TestRules rules) {
        rules.reaction("g", "{\"until\":\"%s\"}".formatted(ends))
                .reaction("h", "{\"audience\":{\"age\":{\"min\":%d}}}".formatted(Person.ADULT));
    }

    /** Whether one of the reactions is for others than the person of this write. */
    static boolean excludes(int reactions, Person person) {
        return (reactions & FOR_ADULTS) != 0 && !person.isAdult();
    }

    /** Whether one of the reactions cannot be added at this time. */
    boolean isOver(int reactions, Instant at) {
        return (reactions & SEASONAL) != 0 && !at.isBefore(ends);
    }
}
