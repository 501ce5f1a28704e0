package dev.ovation.chaos;

import static dev.ovation.chaos.Operation.Outcome.BANNED;
import static dev.ovation.chaos.Operation.Outcome.OK;
import static dev.ovation.chaos.Operation.Outcome.UNKNOWN;

import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Place.Space;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Histories under bans made by hand: the checker reports what a banned user added, and a refusal
 * without a ban.
 */
class BansTest extends HandMade {

    private static final Duration MOMENT = Duration.ofMillis(1);

    private final BanRegister bans = histories.bans("ann");

    BansTest() {
        super(new Place(Space.TONES, "film"));
    }

    @Test
    void aBannedUserAddsNothing() {
        ban(Space.TONES);
        record(Kind.ADD, "👍", BANNED);
        assertNothing();
        record(Kind.ADD, "👍", OK);
        assertContradiction();
    }

    @Test
    void anUnchangedReactionIsRefusedToo() {
        record(Kind.ADD, "👍", OK);
        ban(Space.TONES);
        record(Kind.ENSURE, "👍", OK);
        assertContradiction();
    }

    @Test
    void aBannedUserTakesBack() {
        record(Kind.ADD, "👍", OK);
        record(Kind.ADD, "🦕", OK);
        ban(Space.TONES);
        record(Kind.REMOVE, "👍", OK);
        answer(write(Kind.PUT), OK);
        assertNothing();
        record(Kind.REMOVE, "👍", BANNED);
        assertContradiction();
    }

    @Test
    void instancesMayLearnOfABanWithinASecond() {
        bans.asked(Space.TONES, Instant.MAX);
        bans.inForce();
        pass(BanRegister.LATE.minus(MOMENT));
        record(Kind.ADD, "👍", OK);
        record(Kind.ADD, "🦕", BANNED);
        assertNothing();
        pass(MOMENT);
        record(Kind.ADD, "🦕", OK);
        assertContradiction();
    }

    @Test
    void aUserWhoWasNeverBannedIsNotRefused() {
        record(Kind.ADD, "👍", BANNED);
        assertContradiction();
    }

    @Test
    void aBanWithoutAnAnswerMayBeInForce() {
        bans.asked(Space.TONES, Instant.MAX);
        pass(Duration.ofHours(1));
        record(Kind.ADD, "👍", OK);
        record(Kind.ADD, "🦕", BANNED);
        assertNothing();
    }

    @Test
    void aRefusedBanIsNotInForce() {
        bans.asked(Space.TONES, Instant.MAX);
        bans.refused();
        record(Kind.ADD, "👍", BANNED);
        assertContradiction();
    }

    @Test
    void instancesMayLearnOfTheLiftingWithinASecond() {
        ban(Space.TONES);
        bans.lifting();
        record(Kind.ADD, "👍", OK);
        bans.lifted();
        pass(BanRegister.LATE.minus(MOMENT));
        record(Kind.ADD, "🦕", BANNED);
        bans.lifted();
        assertNothing();
        pass(MOMENT);
        record(Kind.ADD, "🦕", BANNED);
        assertContradiction();
    }

    @Test
    void aLiftingThatWasRefusedLeavesTheBan() {
        ban(Space.TONES);
        bans.lifting();
        bans.liftingRefused();
        record(Kind.ADD, "👍", OK);
        assertContradiction();
    }

    @Test
    void aBanEndsByItself() {
        bans.asked(Space.TONES, now.plusSeconds(5));
        bans.inForce();
        pass(Duration.ofSeconds(5).minus(MOMENT));
        record(Kind.ADD, "👍", BANNED);
        pass(MOMENT);
        record(Kind.ADD, "👍", OK);
        assertNothing();
        record(Kind.ADD, "🦕", BANNED);
        assertContradiction();
    }

    @Test
    void aBanIsForItsNamespace() {
        ban(Space.TEXTS);
        record(Kind.ADD, "👍", OK);
        assertNothing();
        record(Kind.ADD, "🦕", BANNED);
        assertContradiction();
    }

    @Test
    void aBanWithoutANamespaceIsForAll() {
        ban(null);
        record(Kind.ADD, "👍", BANNED);
        assertNothing();
        record(Kind.ADD, "👍", OK);
        assertContradiction();
    }

    @Test
    void anImportIgnoresBans() {
        var free = histories.of("ann", new Place(Space.FREE, "film"));
        ban(null);
        free.answered(Operation.importing(1, null), OK, -1, "here");
        assertNothing();
        free.answered(Operation.importing(1, null), BANNED, -1, "here");
        assertContradiction();
    }

    @Test
    void anUnknownWriteMayBeAppliedOnceTheBanIsLifted() {
        ban(Space.TONES);
        record(Kind.ADD, "👍", UNKNOWN);
        read();
        pass(MOMENT);
        bans.lifting();
        read("👍");
        assertNothing();
    }

    @Test
    void anUnknownWriteOfABannedUserIsNotShown() {
        ban(Space.TONES);
        record(Kind.ADD, "👍", UNKNOWN);
        read("👍");
        assertReported("shown what is none of [[]]");
    }

    @Test
    void aBanIsStored() {
        ban(Space.TONES);
        judge("tones");
        assertNothing();
        judge();
        assertReported("stored are bans of ann in []");
    }

    @Test
    void aLiftedBanIsNotStored() {
        ban(null);
        bans.lifting();
        judge("");
        judge();
        assertNothing();
        bans.lifted();
        judge("");
        assertReported("stored are bans of ann in []");
    }

    @Test
    void aBanOfAnotherNamespaceIsNotStored() {
        ban(null);
        judge("", "tones");
        assertReported("stored are bans of ann in [, tones]");
    }

    @Test
    void aBanWithoutARequestIsReported() {
        histories.judge(stored(List.of(), List.of(), Map.of(), Map.of("eve", List.of(""))));
        assertReported("no request banned eve");
    }

    @Test
    void anErasedUserIsNotBanned() {
        ban(Space.TONES);
        histories.erased("ann");
        judge();
        assertNothing();
        judge("tones");
        assertReported("stored are bans of ann");
    }

    private void judge(String... namespaces) {
        histories.judge(
                stored(
                        List.of(),
                        List.of(),
                        Map.of(),
                        namespaces.length == 0 ? Map.of() : Map.of("ann", List.of(namespaces))));
    }

    /** A ban that each instance knows. */
    private void ban(Space space) {
        bans.asked(space, Instant.MAX);
        bans.inForce();
        pass(BanRegister.LATE);
    }
}
