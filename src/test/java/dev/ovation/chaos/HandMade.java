package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Snapshot.Holder;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Histories made by hand, of users of one entity, on a clock that a test moves. */
abstract class HandMade {

    final Place place;
    final Violations violations = new Violations();
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    final Histories histories = new Histories(new Season(Instant.MAX), () -> now, violations);
    final History ann;

    HandMade(Place place) {
        this.place = place;
        this.ann = histories.of("ann", place);
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    /** A write of the reactions, as their users see them, that is sent now. */
    Operation write(Kind kind, String... reactions) {
        int state = place.space().bits(reactions);
        int form = 0;
        for (int i = 0; i < place.space().kinds; i++) {
            form |= state >> 8 + 2 * i & 3;
        }
        int bits = Place.Space.kinds(state);
        boolean isSet = kind == Kind.PUT;
        return new Operation(
                kind,
                isSet ? 0 : Integer.numberOfTrailingZeros(bits),
                isSet ? bits : 0,
                form,
                null,
                Person.UNKNOWN,
                now);
    }

    void record(Kind kind, String reaction, Outcome outcome) {
        answer(write(kind, reaction), outcome);
    }

    void answer(Operation operation, Outcome outcome) {
        ann.answered(operation, outcome, -1, "here");
    }

    void read(String... reactions) {
        ann.read(place.space().bits(reactions), "", "there");
    }

    /** Judges what is stored of ann; she may have some reactions hidden. */
    void end(List<String> reactions, List<String> hidden) {
        histories.judge(stored(reactions, hidden, Map.of(), Map.of()));
    }

    Snapshot stored(
            List<String> reactions,
            List<String> hidden,
            Map<Place, Integer> locks,
            Map<String, List<String>> bans) {
        var holder = new Holder("ann", place);
        int state = place.bits(reactions);
        var counts = new HashMap<String, Long>();
        place.space().keys(state).forEach(key -> counts.put(key, 1L));
        long version = ann.changes(state).least();
        if (ann.isModerated() || !locks.isEmpty()) {
            version += 3 * Histories.LEAP;
        }
        return new Snapshot(
                state == 0 ? Map.of() : Map.of(holder, state),
                state == 0 ? Map.of() : Map.of(place, counts),
                state == 0 ? Map.of() : Map.of(place, 1L),
                Map.of(place, version),
                hidden.isEmpty() ? Map.of() : Map.of(holder, place.bits(hidden)),
                locks,
                bans,
                Map.of());
    }

    void assertNothing() {
        assertThat(violations.found()).isEmpty();
    }

    void assertReported(String part) {
        assertThat(violations.found()).singleElement().asString().contains(part);
    }

    void assertContradiction() {
        assertReported("contradicts");
    }
}
