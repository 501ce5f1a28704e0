package dev.ovation.chaos;

import static dev.ovation.chaos.Operation.Outcome.LOCKED;
import static dev.ovation.chaos.Operation.Outcome.OK;
import static dev.ovation.chaos.Operation.Outcome.UNKNOWN;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Place.Space;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Histories under locks made by hand: the checker reports what passed a lock, and a refusal without
 * one.
 */
class LocksTest extends HandMade {

    private static final Duration MOMENT = Duration.ofMillis(1);

    private final LockRegister locks = histories.locks(place);

    LocksTest() {
        super(new Place(Space.TEXTS, "film"));
    }

    @Test
    void aLockedEntityTakesNothing() {
        lock();
        record(Kind.ADD, "a", LOCKED);
        assertNothing();
        record(Kind.ADD, "a", OK);
        assertContradiction();
    }

    @Test
    void takingBackIsNotRefused() {
        record(Kind.ADD, "a", OK);
        lock();
        record(Kind.ENSURE, "a", OK);
        answer(write(Kind.PUT), OK);
        record(Kind.REMOVE, "a", OK);
        assertNothing();
        record(Kind.REMOVE, "a", LOCKED);
        assertContradiction();
    }

    @Test
    void someReactionsPass() {
        lock("a", "well done");
        record(Kind.ADD, "a", OK);
        answer(write(Kind.PUT, "a", "well done"), OK);
        answer(write(Kind.PUT, "a", "👍"), LOCKED);
        assertNothing();
        record(Kind.ADD, "well done", LOCKED);
        assertContradiction();
    }

    @Test
    void aReactionThatDoesNotPassMustBeRefused() {
        lock("a");
        answer(write(Kind.PUT, "a", "👍"), OK);
        assertContradiction();
    }

    @Test
    void aChangeInFlightMayComeBeforeTheLockOrAfterIt() {
        var before = write(Kind.ADD, "a");
        var after = write(Kind.ADD, "👍");
        pass(MOMENT);
        lock();
        answer(before, OK);
        answer(after, LOCKED);
        assertNothing();
    }

    @Test
    void anUnlockedEntityRefusesNothing() {
        lock();
        unlock();
        record(Kind.ADD, "a", OK);
        assertNothing();
        record(Kind.ADD, "👍", LOCKED);
        assertContradiction();
    }

    @Test
    void anEntityThatWasNeverLockedRefusesNothing() {
        record(Kind.ADD, "a", LOCKED);
        assertContradiction();
    }

    @Test
    void aLockWithoutAnAnswerMayBeInForce() {
        locks.asked(0);
        record(Kind.ADD, "a", OK);
        record(Kind.ADD, "👍", LOCKED);
        assertNothing();
    }

    @Test
    void aRefusedLockIsNotInForce() {
        locks.asked(0);
        locks.refused();
        pass(MOMENT);
        record(Kind.ADD, "a", LOCKED);
        assertContradiction();
    }

    @Test
    void anUnknownWriteIsNotAppliedUnderTheLockAndMayBeLater() {
        lock();
        record(Kind.ADD, "a", UNKNOWN);
        read();
        pass(MOMENT);
        unlock();
        read("a");
        assertNothing();
    }

    @Test
    void anUnknownWriteUnderTheLockIsNotShown() {
        lock();
        record(Kind.ADD, "a", UNKNOWN);
        read("a");
        assertReported("shown what is none of [[]]");
    }

    @Test
    void anAnswerShowsTheLock() {
        assertThat(locks.mayShow(false, now)).isTrue();
        assertThat(locks.mayShow(true, now)).isFalse();
        pass(MOMENT);
        var before = now;
        locks.asked(0);
        assertThat(locks.mayShow(false, now)).isTrue();
        assertThat(locks.mayShow(true, now)).isTrue();
        pass(MOMENT);
        locks.inForce();
        pass(MOMENT);
        assertThat(locks.mayShow(false, before)).isTrue();
        assertThat(locks.mayShow(false, now)).isFalse();
        assertThat(locks.mayShow(true, now)).isTrue();
    }

    @Test
    void theLockIsStored() {
        lock("a");
        judge(Map.of(place, place.space().bits("a")));
        assertNothing();
        judge(Map.of(place, 0));
        assertReported("texts/film is stored with a lock that lets pass []");
    }

    @Test
    void aLockedEntityIsNotStoredUnlocked() {
        lock("a");
        judge(Map.of());
        assertReported("lets pass all");
    }

    @Test
    void aLockWithoutAnAnswerMayBeStored() {
        lock("a");
        locks.asked(LockRegister.OPEN);
        judge(Map.of(place, place.space().bits("a")));
        judge(Map.of());
        assertNothing();
    }

    @Test
    void anEntityIsLockedByItsModeratorAlone() {
        lock();
        var other = new Place(Space.TEXTS, "book");
        judge(Map.of(place, 0, other, 0));
        assertReported("no request locked texts/book");
    }

    private void judge(Map<Place, Integer> stored) {
        histories.judge(stored(List.of(), List.of(), stored, Map.of()));
    }

    private void lock(String... passing) {
        change(place.space().bits(passing));
    }

    private void unlock() {
        change(LockRegister.OPEN);
    }

    private void change(int passing) {
        locks.asked(passing);
        locks.inForce();
        pass(MOMENT);
    }
}
