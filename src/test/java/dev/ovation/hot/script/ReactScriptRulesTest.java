package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.CAT;
import static dev.ovation.hot.script.HotFixture.DISLIKE;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.complete;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.locked;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.hot.script.ReactScript.Reason;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.Refused;
import dev.ovation.hot.state.Event;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The rules by which a change of a loaded entity is judged. */
class ReactScriptRulesTest {

    private final HotFixture hot = new HotFixture();

    @Nested
    class WhatIsThere {

        @BeforeEach
        void annLikesAndSomebodyElseCame() {
            hot.load(untouched());
            hot.add(ANN, LIKE).accepted();
            hot.add(BEN, HEART).accepted();
        }

        @Test
        void isRefusedAndRestsOnTheUsersOwnLastChange() {
            var before = hot.everything();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Refused(Reason.EXISTS, 1));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void mayAlsoBeFine() {
            var before = hot.everything();

            assertThat(hot.add(ANN, LIKE).existingIsFine().reply())
                    .isEqualTo(
                            new Accepted(
                                    false,
                                    1,
                                    2,
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of(LIKE),
                                    ""));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void addingAnExistingReactionIgnoresLimitAndGroups() {
            hot.add(ANN, DISLIKE).accepted();

            assertThat(
                            hot.add(ANN, LIKE)
                                    .existingIsFine()
                                    .limit(0)
                                    .excludedBy(DISLIKE)
                                    .accepted()
                                    .changed())
                    .isFalse();
        }

        @Test
        void restsOnNothingWhenItWasLoaded() {
            hot.redis.del(counts(), users());
            hot.load(complete(List.of(new Counter(LIKE, 1, 1, 1)), Map.of(ANN, List.of(LIKE))));

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Refused(Reason.EXISTS, 0));
        }
    }

    @Nested
    class Seasons {

        private final long past = System.currentTimeMillis() - 1;
        private final long future = System.currentTimeMillis() + 3_600_000;

        @BeforeEach
        void annLikesAndBenHasNothing() {
            hot.load(untouched());
            hot.add(ANN, LIKE).accepted();
        }

        @Test
        void anAdditionIsRefusedFromTheEndOfItsSeason() {
            var before = hot.everything();

            assertThat(hot.add(BEN, LIKE).until(LIKE, past).reply())
                    .isEqualTo(new Refused(Reason.CLOSED, 0, LIKE, List.of()));
            assertThat(hot.everything()).isEqualTo(before);
            assertThat(hot.add(BEN, LIKE).until(LIKE, future).accepted().changed()).isTrue();
        }

        @Test
        void aPutKeepsWhatIsThereAndAddsNothingElse() {
            assertThat(hot.put(ANN, LIKE).until(LIKE, 0).accepted().changed()).isFalse();
            assertThat(hot.put(ANN, HEART, LIKE).until(HEART, 0).reply())
                    .isEqualTo(new Refused(Reason.CLOSED, 1, HEART, List.of()));
            assertThat(
                            hot.put(ANN, HEART, LIKE)
                                    .until(LIKE, 0)
                                    .until(HEART, future)
                                    .accepted()
                                    .added())
                    .containsExactly(HEART);
        }

        /** An expired kind that is shown takes a place, as before. */
        @Test
        void whatIsThereTakesAPlace() {
            assertThat(hot.put(ANN, HEART, LIKE).until(LIKE, 0).limit(1).reply())
                    .isEqualTo(new Refused(Reason.LIMIT, 1));
        }

        @Test
        void aRemovalIsNotRefused() {
            assertThat(hot.remove(ANN, LIKE).until(LIKE, 0).accepted().removed())
                    .containsExactly(LIKE);
        }
    }

    @Nested
    class ExclusiveReactions {

        @BeforeEach
        void annHasThreeAndBenOne() {
            hot.load(untouched());
            hot.add(ANN, DISLIKE).accepted();
            hot.add(ANN, "1").accepted();
            hot.add(ANN, "2").accepted();
            hot.add(BEN, DISLIKE).accepted();
        }

        @Test
        void conflictAndAreNamed() {
            var before = hot.everything();

            assertThat(hot.add(ANN, LIKE).excludedBy("1", HEART, DISLIKE).reply())
                    .isEqualTo(new Refused(Reason.CONFLICT, 3, LIKE, List.of("1", DISLIKE)));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void areTheUsersOwnAlone() {
            assertThat(hot.add(CAT, LIKE).excludedBy(DISLIKE).accepted().changed()).isTrue();
        }

        @Test
        void areRemovedByForceAndNoOthers() {
            Accepted reply =
                    hot.add(ANN, LIKE)
                            .excludedBy("1", HEART, DISLIKE)
                            .force()
                            .at(9000)
                            .withState()
                            .accepted();

            assertThat(reply.added()).containsExactly(LIKE);
            assertThat(reply.removed()).containsExactly("1", DISLIKE);
            assertThat(reply.own()).containsExactly("2", LIKE);
            assertThat(hot.hit(BEN).own()).containsExactly(DISLIKE);
            assertThat(reply.counters())
                    .containsExactlyInAnyOrder(
                            new Counter("2", 1, 5002, 5002),
                            new Counter(DISLIKE, 1, 5000, 5003),
                            new Counter(LIKE, 1, 9000, 9000));
        }

        @Test
        void areInTheEventWithTheCountersAfterIt() {
            hot.add(ANN, LIKE).excludedBy("1", DISLIKE).force().at(9000).accepted();

            Event event = hot.events().getLast();
            assertThat(event.added()).containsExactly(LIKE);
            assertThat(event.removed()).containsExactly("1", DISLIKE);
            assertThat(event.touched())
                    .containsExactlyInAnyOrder(
                            new Counter("1", 0, 5001, 5001),
                            new Counter(DISLIKE, 1, 5000, 5003),
                            new Counter(LIKE, 1, 9000, 9000));
        }

        @Test
        void namedTwiceByOverlappingGroupsGoOnce() {
            Accepted reply = hot.add(ANN, LIKE).excludedBy("1", "1").force().accepted();

            assertThat(reply.removed()).containsExactly("1");
        }

        /** More than Lua accepts as the arguments of one call, after the event is appended. */
        @Test
        void areRemovedByForceHoweverManyTheyAre() {
            List<String> many = IntStream.range(0, 4_177).mapToObj(n -> "r" + n).toList();
            hot.redis.del(counts(), users());
            hot.load(
                    complete(
                            many.stream().map(id -> new Counter(id, 2, 1, 1)).toList(),
                            Map.of(ANN, many)));

            Accepted reply =
                    hot.add(ANN, LIKE).excludedBy(many.toArray(String[]::new)).force().accepted();

            assertThat(reply.removed()).hasSameElementsAs(many);
            assertThat(hot.hit(ANN).own()).containsExactly(LIKE);
            assertThat(hot.hit(ANN).counters())
                    .hasSize(many.size() + 1)
                    .allMatch(counter -> counter.count() == 1);
        }

        @Test
        void forcedWithoutAConflictRemoveNothing() {
            assertThat(hot.add(CAT, LIKE).excludedBy(DISLIKE).force().accepted().removed())
                    .isEmpty();
        }
    }

    @Nested
    class TheLimit {

        @BeforeEach
        void twoKindsAreShown() {
            hot.load(untouched());
            hot.add(ANN, LIKE).accepted();
            hot.add(BEN, DISLIKE).accepted();
        }

        @Test
        void refusesOneKindMoreAndRestsOnTheEntitysLastChange() {
            var before = hot.everything();

            assertThat(hot.add(ANN, HEART).limit(2).reply())
                    .isEqualTo(new Refused(Reason.LIMIT, 2));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void isReachedByTheLastKindThatFits() {
            assertThat(hot.add(ANN, HEART).limit(3).accepted().changed()).isTrue();
        }

        @Test
        void letsOneOfTwoFirstTimeReactionsPass() {
            assertThat(hot.add(ANN, HEART).limit(3).accepted().seq()).isEqualTo(3);

            assertThat(hot.add(BEN, "1").limit(3).reply()).isEqualTo(new Refused(Reason.LIMIT, 3));
        }

        @Test
        void neverRefusesAKindThatIsShownEvenIfItWasTightened() {
            assertThat(hot.add(CAT, LIKE).limit(1).accepted().changed()).isTrue();
        }

        @Test
        void ofZeroRefusesEverything() {
            assertThat(hot.add(CAT, LIKE).limit(0).reply()).isEqualTo(new Refused(Reason.LIMIT, 2));
        }

        @Test
        void isJudgedAfterTheRemoval() {
            assertThat(hot.add(BEN, HEART).limit(2).excludedBy(DISLIKE).force().accepted())
                    .extracting(Accepted::added, Accepted::removed)
                    .containsExactly(List.of(HEART), List.of(DISLIKE));
        }

        @Test
        void staysReachedWhenAnotherUserKeepsTheKind() {
            hot.add(ANN, DISLIKE).accepted();
            var before = hot.everything();

            assertThat(hot.add(BEN, HEART).limit(2).excludedBy(DISLIKE).force().reply())
                    .isEqualTo(new Refused(Reason.LIMIT, 3));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void comesAfterTheConflict() {
            assertThat(hot.add(BEN, HEART).limit(2).excludedBy(DISLIKE).reply())
                    .isEqualTo(new Refused(Reason.CONFLICT, 2, HEART, List.of(DISLIKE)));
        }

        @Test
        void countsNoRetiredKinds() {
            assertThat(hot.add(ANN, HEART).limit(2).live(LIKE, HEART).accepted().changed())
                    .isTrue();
        }

        @Test
        void isNotFreedByTheRemovalOfARetiredKind() {
            assertThat(
                            hot.add(BEN, HEART)
                                    .limit(1)
                                    .live(LIKE, HEART)
                                    .excludedBy(DISLIKE)
                                    .force()
                                    .reply())
                    .isEqualTo(new Refused(Reason.LIMIT, 2));
        }

        @Test
        void aRetiredKeyThatIsPartOfAnotherKeyDoesNotCount() {
            hot.add(ANN, "1").accepted();

            assertThat(hot.add(ANN, HEART).limit(3).live(LIKE, DISLIKE, HEART, "11").accepted())
                    .extracting(Accepted::changed)
                    .isEqualTo(true);
        }

        @Test
        void countsAKindThatWasTakenBackNoMore() {
            hot.remove(BEN, DISLIKE).accepted();

            assertThat(hot.add(ANN, HEART).limit(2).accepted().changed()).isTrue();
        }
    }

    @Nested
    class TheLimitOfAUser {

        @BeforeEach
        void annHasTwo() {
            hot.load(untouched());
            hot.add(ANN, LIKE).accepted();
            hot.add(BEN, HEART).accepted();
            hot.add(ANN, HEART).accepted();
        }

        @Test
        void refusesOneMoreAndRestsOnTheUsersOwnLastChange() {
            var before = hot.everything();

            assertThat(hot.add(ANN, DISLIKE).limitOfUser(2).reply())
                    .isEqualTo(new Refused(Reason.TOO_MANY, 3));
            assertThat(hot.everything()).isEqualTo(before);
            assertThat(hot.add(BEN, DISLIKE).limitOfUser(2).accepted().changed()).isTrue();
            assertThat(hot.add(ANN, DISLIKE).limitOfUser(3).accepted().changed()).isTrue();
        }

        @Test
        void isJudgedAfterTheRemovals() {
            assertThat(hot.put(ANN, DISLIKE, LIKE).limitOfUser(2).accepted().own())
                    .containsExactlyInAnyOrder(LIKE, DISLIKE);
            assertThat(
                            hot.add(ANN, HEART)
                                    .force()
                                    .excludedBy(LIKE, DISLIKE)
                                    .limitOfUser(1)
                                    .accepted()
                                    .own())
                    .contains(HEART);
        }

        @Test
        void countsNothingThatLeftTheSetUnlessItIsOpen() {
            assertThat(hot.add(ANN, DISLIKE).live(DISLIKE, HEART).limitOfUser(2).accepted().own())
                    .hasSize(3);
            assertThat(hot.add(ANN, "1").live("1").open().limitOfUser(3).reply())
                    .isEqualTo(new Refused(Reason.TOO_MANY, 4));
        }

        @Test
        void letsAUserAboveALoweredLimitTakeBack() {
            assertThat(hot.put(ANN, LIKE).limitOfUser(0).accepted().own()).containsExactly(LIKE);
            assertThat(hot.put(ANN, DISLIKE).limitOfUser(0).reply())
                    .isEqualTo(new Refused(Reason.TOO_MANY, 4));
        }
    }

    @Test
    void eachKindOfAnOpenSetTakesAPlace() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.add(BEN, HEART).accepted();

        assertThat(hot.add(CAT, DISLIKE).live(DISLIKE).limit(2).accepted().changed()).isTrue();
        assertThat(hot.add(CAT, "1").live("1").open().limit(3).reply())
                .isEqualTo(new Refused(Reason.LIMIT, 3));
    }

    @Nested
    class ALock {

        @BeforeEach
        void letsOneReactionPass() {
            var users = Map.of(ANN, List.of(DISLIKE));
            hot.load(locked(List.of(new Counter(DISLIKE, 1, 1, 1)), users, LIKE, "1"));
        }

        @Test
        void refusesOtherAdditionsAndChangesNothing() {
            var before = hot.everything();

            assertThat(hot.add(BEN, HEART).reply()).isEqualTo(new Refused(Reason.LOCKED, 0));
            assertThat(hot.put(ANN, DISLIKE, LIKE, HEART).reply())
                    .isEqualTo(new Refused(Reason.LOCKED, 0));
            assertThat(hot.add(ANN, HEART).force().excludedBy(DISLIKE).reply())
                    .isEqualTo(new Refused(Reason.LOCKED, 0));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void letsItsReactionsPassAndEachBeTakenBack() {
            assertThat(hot.add(BEN, LIKE).accepted().locked()).isTrue();
            assertThat(hot.put(ANN, "1", LIKE).accepted().removed()).containsExactly(DISLIKE);
            assertThat(hot.remove(BEN, LIKE).accepted().changed()).isTrue();
            assertThat(hot.put(ANN).accepted().own()).isEmpty();
        }

        @Test
        void isPartOfTheAnswerThatAKeyKeeps() {
            hot.add(BEN, LIKE).keyed("key", "request").accepted();

            assertThat(hot.events().getLast().keyed().locked()).isTrue();
        }

        @Test
        void isShownToReadersAndGoesWithTheNextState() {
            assertThat(hot.hit(ANN).locked()).isTrue();
            hot.add(BEN, LIKE).accepted();
            assertThat(hot.hit(ANN).locked()).isTrue();
        }
    }

    @Test
    void aFormStaysWithTheReactionOfItsUser() {
        String toned = LIKE + "\u001c" + "👍🏿";
        hot.load(untouched());

        assertThat(hot.add(ANN, toned).accepted().own()).containsExactly(toned);
        assertThat(hot.add(BEN, LIKE).accepted().counters()).isEmpty();
        assertThat(hot.add(ANN, LIKE + "\u001c" + "👍🏽").reply())
                .isEqualTo(new Refused(Reason.EXISTS, 1));
        assertThat(hot.put(ANN, HEART, LIKE).accepted().own()).containsExactly(toned, HEART);
        assertThat(hot.hit(ANN).own()).containsExactly(toned, HEART);
        assertThat(hot.hit(ANN).counters()).contains(new Counter(LIKE, 2, 5000, 5001));
        Event event = hot.events().getFirst();
        assertThat(event.added()).containsExactly(LIKE);
        assertThat(event.addedWithForms()).containsExactly(toned);
        assertThat(hot.remove(ANN, LIKE).accepted().own()).containsExactly(HEART);
    }
}
