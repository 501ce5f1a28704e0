package dev.ovation.chaos;

import static dev.ovation.chaos.Operation.Outcome.EXISTS;
import static dev.ovation.chaos.Operation.Outcome.OK;
import static dev.ovation.chaos.Operation.Outcome.UNKNOWN;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.chaos.Histories.Concern;
import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Place.Space;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Histories with reactions that moderators hide, return or remove, made by hand: the checker
 * reports one that stays, returns or is lost.
 */
class ModerationTest extends HandMade {

    private static final int THUMB = 0;

    ModerationTest() {
        super(new Place(Space.TONES, "film"));
    }

    @Test
    void anOpenOperationMayHappenOrNot() {
        record(Kind.ADD, "👍", OK);
        open(Kind.CLEAR);
        read("👍");
        read();
        end(List.of("👍"), List.of());
        end(List.of(), List.of());
        assertNothing();
    }

    @Test
    void whatAModeratorTookOffIsNotShown() {
        record(Kind.ADD, "👍🏽", OK);
        record(Kind.ADD, "🦕", OK);
        histories.settled(open(Kind.CLEAR));
        read("🦕");
        assertNothing();
        read("👍🏽", "🦕");
        assertReported("shown what is none of [[🦕]]");
    }

    @Test
    void whatAModeratorTookOffIsNotStored() {
        record(Kind.ADD, "👍🏽", OK);
        histories.settled(open(Kind.CLEAR));
        end(List.of("👍🏽"), List.of());
        assertReported("stored is what is none of [[]]");
    }

    @Test
    void aReactionOfLaterIsNotTakenOff() {
        record(Kind.ADD, "👍", OK);
        histories.settled(open(Kind.CLEAR));
        record(Kind.ADD, "👍🏽", OK);
        end(List.of(), List.of());
        assertReported("stored is what is none of [[👍🏽]]");
    }

    @Test
    void aRefusedOperationHasNotHappened() {
        record(Kind.ADD, "👍", OK);
        histories.withdrawn(open(Kind.CLEAR));
        read("👍");
        assertNothing();
        read();
        assertReported("shown what is none of [[👍]]");
    }

    @Test
    void aRefusedOperationThatHasHappenedIsReported() {
        record(Kind.ADD, "👍", OK);
        var clear = open(Kind.CLEAR);
        record(Kind.ADD, "👍🏽", OK); // so it has happened
        histories.withdrawn(clear);
        assertContradiction();
    }

    @Test
    void aWriteInFlightMayComeBeforeTheModeratorOrAfter() {
        var clear = open(Kind.CLEAR);
        var add = write(Kind.ADD, "👍");
        ann.sent();
        histories.settled(clear);
        answer(add, OK);
        ann.judged();
        read("👍");
        read();
        assertNothing();
    }

    @Test
    void anAnswerInFlightMayBeOfBeforeTheModerator() {
        record(Kind.ADD, "👍", OK);
        var clear = open(Kind.CLEAR);
        ann.sent();
        histories.settled(clear);
        record(Kind.ADD, "👍", EXISTS);
        ann.judged();
        assertNothing();
        record(Kind.ADD, "👍", EXISTS);
        assertContradiction();
    }

    @Test
    void anOperationConcernsUsersWhoComeLater() {
        var clear = open(Kind.CLEAR);
        var ben = histories.of("ben", place);
        ben.answered(write(Kind.ADD, "👍"), OK, -1, "here");
        ben.read(0, "", "there");
        histories.settled(clear);
        assertNothing();
        var cleo = histories.of("cleo", place);
        cleo.answered(write(Kind.ADD, "👍"), OK, -1, "here");
        cleo.read(0, "", "there");
        assertThat(violations.found()).singleElement().asString().startsWith("cleo on tones/film");
    }

    @Test
    void anOperationConcernsItsEntityAlone() {
        open(Kind.CLEAR);
        var other = histories.of("ann", new Place(Space.TONES, "book"));
        other.answered(write(Kind.ADD, "👍"), OK, -1, "here");
        other.read(0, "", "there");
        assertThat(violations.found()).singleElement().asString().startsWith("ann on tones/book");
    }

    @Test
    void aBanConcernsItsUserInItsNamespaceAlone() {
        var hide = Operation.moderation(Kind.HIDE, 0);
        histories.opened(hide, Concern.of("ann", Space.TONES));
        var ben = histories.of("ben", place);
        ben.answered(write(Kind.ADD, "👍"), OK, -1, "here");
        var free = histories.of("ann", new Place(Space.FREE, "film"));
        free.answered(Operation.put(1, 0, null, Person.UNKNOWN), OK, -1, "here");
        record(Kind.ADD, "👍", OK);
        read();
        assertNothing();
        free.read(0, "", "there");
        ben.read(0, "", "there");
        assertThat(violations.found())
                .satisfiesExactly(
                        one -> assertThat(one).startsWith("ann on free/film"),
                        other -> assertThat(other).startsWith("ben on tones/film"));
    }

    @Test
    void hiddenReactionsAreKept() {
        record(Kind.ADD, "👍🏽", OK);
        var hide = open(Kind.HIDE);
        histories.completed(hide, false);
        read();
        end(List.of(), List.of("👍🏽"));
        assertNothing();
        read("👍🏽");
        assertReported("shown what is none of [[] and hidden [👍🏽]]");
    }

    @Test
    void hiddenReactionsAreNotLost() {
        record(Kind.ADD, "👍🏽", OK);
        histories.completed(open(Kind.HIDE), false);
        end(List.of(), List.of());
        assertReported("stored is what is none of [[] and hidden [👍🏽]]");
    }

    @Test
    void allReactionsAreHiddenAtTheEndOfTheJob() {
        record(Kind.ADD, "👍🏽", OK);
        var hide = open(Kind.HIDE);
        record(Kind.ADD, "🦕", OK); // at an instance that does not know the ban
        histories.completed(hide, true);
        end(List.of(), List.of("👍🏽", "🦕"));
        assertNothing();
        end(List.of("🦕"), List.of("👍🏽"));
        assertReported("hidden [👍🏽, 🦕]");
    }

    /** The job may have ended before the import, which ignores bans, and long before its report. */
    @Test
    void anImportThatMayFollowTheJobMayStay() {
        importDuringAHide();
        end(List.of("👍"), List.of("👍🏽", "🦕"));
        end(List.of(), List.of("👍🏽", "🦕"));
        assertNothing();
        end(List.of("🦕"), List.of("👍🏽"));
        assertReported("hidden [👍🏽, 🦕]");
    }

    @Test
    void aRowFromBeforeTheImportIsHidden() {
        importDuringAHide();
        end(List.of("👍🏽"), List.of("🦕"));
        assertReported("hidden [👍🏽, 🦕]");
    }

    @Test
    void anImportOfAnExistingReactionDoesNotKeepIt() {
        var hide = open(Kind.HIDE);
        record(Kind.ADD, "👍", OK);
        answer(Operation.importing(1 << THUMB, "key"), OK);
        histories.completed(hide, true);
        end(List.of(), List.of("👍"));
        end(List.of("👍"), List.of("👍"));
        assertNothing();
        end(List.of("👍"), List.of());
        assertReported("stored is what is none of");
    }

    /** The step of the job that hides the later reaction hides the imported one, too. */
    @Test
    void anImportedReactionDoesNotOutliveALaterOne() {
        var hide = open(Kind.HIDE);
        answer(Operation.importing(1 << THUMB, "key"), OK);
        record(Kind.ADD, "🦕", OK);
        histories.completed(hide, true);
        end(List.of(), List.of("👍", "🦕"));
        assertNothing();
        end(List.of("👍"), List.of("🦕"));
        assertReported("stored is what is none of");
    }

    @Test
    void anImportedReactionIsNotKeptByTheJobThatRemovesALaterOne() {
        var strip = open(Kind.STRIP);
        answer(Operation.importing(1 << THUMB, "key"), OK);
        record(Kind.ADD, "🦕", OK);
        histories.completed(strip, true);
        end(List.of(), List.of());
        assertNothing();
        end(List.of("👍"), List.of());
        assertReported("stored is what is none of");
    }

    /**
     * A job was complete at the time of the import, and is observed after the job of another ban.
     */
    @Test
    void anImportedReactionThatWasHiddenAndReturnedMayFollowAnEarlierJob() {
        var strip = open(Kind.STRIP);
        answer(Operation.importing(1 << THUMB, "key"), OK);
        var hide = open(Kind.HIDE);
        histories.completed(hide, false);
        var show = open(Kind.SHOW);
        histories.closed(hide);
        histories.completed(show, true);
        histories.completed(strip, true);
        end(List.of("👍"), List.of());
        end(List.of(), List.of());
        assertNothing();
    }

    @Test
    void anImportBeforeTheBanIsHidden() {
        answer(Operation.importing(1 << THUMB, "key"), OK);
        histories.completed(open(Kind.HIDE), true);
        end(List.of(), List.of("👍"));
        assertNothing();
        end(List.of("👍"), List.of());
        assertReported("hidden [👍]");
    }

    private void importDuringAHide() {
        record(Kind.ADD, "👍🏽", OK);
        var hide = open(Kind.HIDE);
        record(Kind.ADD, "🦕", OK);
        answer(Operation.importing(1 << THUMB, "key"), OK);
        histories.completed(hide, true);
    }

    @Test
    void anImportOfUnknownOutcomeMayFollowTheJob() {
        answer(Operation.importing(1 << THUMB, "key"), UNKNOWN);
        var strip = open(Kind.STRIP);
        histories.completed(strip, true);
        end(List.of("👍"), List.of());
        end(List.of(), List.of());
        assertNothing();
    }

    /** A repeated request with its key gets its outcome. */
    @Test
    void anImportWithALateAnswerMayFollowTheJob() {
        var importing = Operation.importing(1 << THUMB, "key");
        answer(importing, UNKNOWN);
        var strip = open(Kind.STRIP);
        answer(importing, OK);
        histories.completed(strip, true);
        end(List.of("👍"), List.of());
        end(List.of(), List.of());
        assertNothing();
    }

    @Test
    void hiddenReactionsComeBackInTheirForms() {
        record(Kind.ADD, "👍🏽", OK);
        var hide = open(Kind.HIDE);
        histories.completed(hide, false);
        var show = open(Kind.SHOW);
        histories.closed(hide);
        histories.completed(show, true);
        end(List.of("👍🏽"), List.of());
        assertNothing();
        end(List.of("👍"), List.of());
        assertReported("stored is what is none of [[👍🏽]]");
    }

    @Test
    void aLiftedBanHidesNothingMore() {
        record(Kind.ADD, "👍🏽", OK);
        var hide = open(Kind.HIDE);
        var show = open(Kind.SHOW);
        read();
        read("👍🏽");
        histories.closed(hide);
        histories.completed(show, true);
        assertNothing();
        end(List.of(), List.of("👍🏽"));
        assertReported("stored is what is none of [[👍🏽]]");
    }

    @Test
    void aReactionOfLaterIsNotReplacedByTheHiddenOne() {
        record(Kind.ADD, "👍🏽", OK);
        histories.completed(open(Kind.HIDE), false);
        record(Kind.ADD, "👍🏿", OK); // the job was still open
        var show = open(Kind.SHOW);
        histories.completed(show, false);
        read("👍🏿");
        assertNothing();
    }

    @Test
    void removedReactionsAreAbsent() {
        record(Kind.ADD, "👍🏽", OK);
        record(Kind.ADD, "🦕", OK);
        var strip = open(Kind.STRIP);
        histories.completed(strip, true);
        end(List.of(), List.of());
        assertNothing();
        end(List.of(), List.of("🦕"));
        assertReported("stored is what is none of [[]]");
    }

    @Test
    void hiddenReactionsAreRemovedToo() {
        record(Kind.ADD, "👍🏽", OK);
        var hide = open(Kind.HIDE);
        histories.completed(hide, true);
        histories.completed(open(Kind.STRIP), true);
        end(List.of(), List.of());
        assertNothing();
        end(List.of(), List.of("👍🏽"));
        assertReported("stored is what is none of [[]]");
    }

    @Test
    void aReactionOfAfterTheEndOfABanStays() {
        record(Kind.ADD, "👍🏽", OK);
        var strip = open(Kind.STRIP);
        histories.over(strip, now);
        record(Kind.ADD, "🦕", OK);
        end(List.of("👍🏽", "🦕"), List.of());
        end(List.of("🦕"), List.of());
        assertNothing();
        end(List.of("👍🏽"), List.of());
        assertReported("stored is what is none of [[👍🏽, 🦕], [🦕]]");
    }

    @Test
    void theJobOfAnEndedBanRemovesWhatWasBefore() {
        record(Kind.ADD, "👍🏽", OK);
        record(Kind.ADD, "🦕", OK);
        var hide = open(Kind.HIDE);
        histories.over(hide, now);
        record(Kind.REMOVE, "🦕", OK);
        record(Kind.ADD, "🦕", OK); // the job may have hidden the one before
        histories.completed(hide, true);
        end(List.of("🦕"), List.of("👍🏽"));
        end(List.of("🦕"), List.of("👍🏽", "🦕"));
        assertNothing();
        end(List.of("🦕", "👍🏽"), List.of());
        assertReported("stored is what is none of");
    }

    /** An instance that did not know the ban accepted it, and proposed it after the end. */
    @Test
    void aWriteThatWasInFlightAtTheEndMayStay() {
        record(Kind.ADD, "👍🏽", OK);
        var strip = open(Kind.STRIP);
        var add = write(Kind.ADD, "🦕");
        var end = now;
        pass(Duration.ofMillis(1));
        answer(add, OK);
        histories.over(strip, end);
        histories.completed(strip, true);
        end(List.of("🦕"), List.of());
        end(List.of(), List.of());
        assertNothing();
    }

    /** The job hides a row from before the end, and spares a row from after it. */
    @Test
    void aWriteThatWasInFlightAtTheEndMayStayBesideAHiddenReaction() {
        record(Kind.ADD, "👍🏽", OK);
        var hide = open(Kind.HIDE);
        var add = write(Kind.ADD, "🦕");
        var end = now;
        pass(Duration.ofMillis(1));
        ann.answered(add, OK, place.bits(List.of("👍🏽", "🦕")), "here");
        histories.over(hide, end);
        histories.completed(hide, true);
        end(List.of("🦕"), List.of("👍🏽"));
        end(List.of(), List.of("👍🏽", "🦕"));
        read("🦕");
        assertNothing();
        end(List.of("👍🏽"), List.of("🦕"));
        assertReported("stored is what is none of");
    }

    @Test
    void aReactionThatWasAddedAgainAfterTheEndMayStay() {
        record(Kind.ADD, "👍🏽", OK);
        record(Kind.ADD, "🦕", OK);
        var hide = open(Kind.HIDE);
        histories.over(hide, now);
        record(Kind.REMOVE, "🦕", OK);
        ann.answered(write(Kind.ADD, "🦕"), OK, place.bits(List.of("👍🏽", "🦕")), "here");
        read("🦕");
        end(List.of("🦕"), List.of("👍🏽"));
        assertNothing();
        end(List.of("👍🏽"), List.of("🦕"));
        assertReported("stored is what is none of");
    }

    @Test
    void aReactionTakenOffAnEntityIsNotHiddenAnyMore() {
        record(Kind.ADD, "👍🏽", OK);
        record(Kind.ADD, "🦕", OK);
        histories.completed(open(Kind.HIDE), true);
        histories.settled(open(Kind.CLEAR));
        end(List.of(), List.of("🦕"));
        assertNothing();
        end(List.of(), List.of("👍🏽", "🦕"));
        assertReported("stored is what is none of");
    }

    @Test
    void anEndedBanConcernsNoEntityOfLater() {
        var strip = Operation.moderation(Kind.STRIP, 0);
        histories.opened(strip, Concern.of("ann", null));
        histories.over(strip, now);
        var later = histories.of("ann", new Place(Space.TONES, "book"));
        later.answered(write(Kind.ADD, "👍"), OK, -1, "here");
        histories.completed(strip, true);
        later.read(Space.TONES.bits("👍"), "", "there");
        assertNothing();
        later.read(0, "", "there");
        assertThat(violations.found()).singleElement().asString().startsWith("ann on tones/book");
    }

    /** Its rows may be older than the removal. */
    @Test
    void anImportDuringABanMayBringNothing() {
        var free = histories.of("ann", new Place(Space.FREE, "film"));
        var strip = Operation.moderation(Kind.STRIP, 0);
        histories.opened(strip, Concern.of("ann", null));
        free.answered(Operation.importing(3, null), OK, -1, "here");
        free.read(1, "", "there");
        free.read(0, "", "there");
        assertNothing();
        histories.completed(strip, true);
        free.answered(Operation.importing(3, null), OK, -1, "here");
        free.read(1, "", "there");
        assertThat(violations.found()).singleElement().asString().startsWith("ann on free/film");
    }

    @Test
    void aBanThatIsLiftedEarlyMayHaveRemovedAllOrNothing() {
        record(Kind.ADD, "👍🏽", OK);
        record(Kind.ADD, "🦕", OK);
        var strip = open(Kind.STRIP);
        histories.closed(strip);
        end(List.of(), List.of());
        end(List.of("👍🏽", "🦕"), List.of());
        assertNothing();
        end(List.of("🦕"), List.of());
        assertReported("stored is what is none of [[], [👍🏽, 🦕]]");
    }

    @Test
    void anUnknownWriteMayComeAfterTheJob() {
        record(Kind.ADD, "👍🏽", UNKNOWN);
        var strip = open(Kind.STRIP);
        histories.completed(strip, true);
        end(List.of("👍🏽"), List.of());
        end(List.of(), List.of());
        assertNothing();
    }

    @Test
    void anErasedUserHasNothingHidden() {
        record(Kind.ADD, "👍🏽", OK);
        histories.completed(open(Kind.HIDE), false);
        histories.erased("ann");
        end(List.of(), List.of());
        assertNothing();
        end(List.of(), List.of("👍🏽"));
        assertReported("stored is what is none of [[]]");
    }

    @Test
    void anOperationThatIsOpenDuringAnErasureMayBeRefused() {
        record(Kind.ADD, "👍", OK);
        var clear = open(Kind.CLEAR);
        histories.erased("ann");
        histories.withdrawn(clear);
        assertNothing();
    }

    @Test
    void hiddenReactionsThatNoClientWroteAreReported() {
        var stored = stored(List.of(), List.of("👍"), Map.of(), Map.of());
        new Histories(new Season(now), () -> now, violations).judge(stored);
        assertReported("no client wrote what is stored for Holder[user=ann");
    }

    @Test
    void moderatorsLeaveVersionGaps() {
        record(Kind.ADD, "👍", OK);
        histories.settled(open(Kind.CLEAR));
        end(List.of(), List.of());
        assertNothing();
    }

    private Operation open(Kind kind) {
        var moderation = Operation.moderation(kind, THUMB);
        histories.opened(moderation, Concern.of(place));
        return moderation;
    }
}
