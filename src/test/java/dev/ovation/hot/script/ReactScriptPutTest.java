package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.CONFIG;
import static dev.ovation.hot.script.HotFixture.DISLIKE;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.RETIRED;
import static dev.ovation.hot.script.HotFixture.committed;
import static dev.ovation.hot.script.HotFixture.complete;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.hot.script.ReactScript.Reason;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.Other;
import dev.ovation.hot.script.ReactScript.Reply.Refused;
import dev.ovation.hot.script.ReactScript.Reply.StaleConfig;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Proposal.Basis;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * {@code react.lua}: replacing a user's set in one step, and the states on which it may be judged.
 */
class ReactScriptPutTest {

    private final HotFixture hot = new HotFixture();

    /** Seq 1 to 3: Ann has two, Ben one of them. */
    @BeforeEach
    void annHasTwoAndBenOne() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.add(ANN, "1").accepted();
        hot.add(BEN, LIKE).accepted();
    }

    @Nested
    class ASet {

        @Test
        void comesAndGoesInOneEvent() {
            Accepted reply = hot.put(ANN, LIKE, "2", HEART).at(9000).withState().accepted();

            assertThat(reply)
                    .isEqualTo(
                            new Accepted(
                                    true,
                                    4,
                                    4,
                                    List.of("2", HEART),
                                    List.of("1"),
                                    reply.counters(),
                                    List.of(LIKE, "2", HEART),
                                    hot.event(4)));
            assertThat(reply.counters())
                    .containsExactlyInAnyOrder(
                            new Counter(LIKE, 2, 5000, 5002),
                            new Counter("2", 1, 9000, 9000),
                            new Counter(HEART, 1, 9000, 9000));
            assertThat(hot.hit(ANN).own()).containsExactly(LIKE, "2", HEART);
            assertThat(hot.events()).hasSize(4);
            Event event = hot.events().getLast();
            assertThat(event.added()).containsExactly("2", HEART);
            assertThat(event.removed()).containsExactly("1");
            assertThat(event.touched())
                    .containsExactlyInAnyOrder(
                            new Counter("1", 0, 5001, 5001),
                            new Counter("2", 1, 9000, 9000),
                            new Counter(HEART, 1, 9000, 9000));
        }

        @Test
        void anEmptySetRemovesAllReactions() {
            Accepted reply = hot.put(ANN).accepted();

            assertThat(reply.removed()).containsExactly(LIKE, "1");
            assertThat(reply.own()).isEmpty();
            assertThat(hot.hit(BEN).own()).containsExactly(LIKE);
            assertThat(hot.hit(null).counters()).containsExactly(new Counter(LIKE, 1, 5000, 5002));
        }

        @Test
        void thatIsThereChangesNothingAndRestsOnTheUsersLastChange() {
            var before = hot.everything();

            assertThat(hot.put(ANN, "1", LIKE).accepted())
                    .isEqualTo(
                            new Accepted(
                                    false,
                                    2,
                                    3,
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of(LIKE, "1"),
                                    ""));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void underAKeyIsAnEventAlsoWhenItChangesNothing() {
            hot.put(ANN, LIKE, "1").keyed("key", "request").accepted();

            Event event = hot.events().getLast();
            assertThat(event.added()).isEmpty();
            assertThat(event.keyed().own()).containsExactly(LIKE, "1");
            assertThat(event.keyed().counters())
                    .containsExactlyInAnyOrder(
                            new Counter(LIKE, 2, 5000, 5002), new Counter("1", 1, 5001, 5001));
        }

        @Test
        void underAKeyTravelsWithTheStateAfterIt() {
            Accepted reply = hot.put(ANN, "2").keyed("key", "request").withState().accepted();

            assertThat(hot.events().getLast().keyed().own()).containsExactly("2");
            assertThat(hot.events().getLast().keyed().counters())
                    .containsExactlyInAnyOrderElementsOf(reply.counters())
                    .hasSize(2);
        }

        @Test
        void judgedByOlderRulesIsRefused() {
            hot.add(BEN, HEART).under(CONFIG + 1).accepted();

            assertThat(hot.put(ANN, HEART).reply()).isEqualTo(new StaleConfig());
        }

        @Test
        void mayBeLarge() {
            String[] many = IntStream.range(0, 1000).mapToObj(n -> "r" + n).toArray(String[]::new);

            assertThat(hot.put(ANN, many).live(many).limit(1002).accepted().own())
                    .containsExactly(many);
            assertThat(hot.put(ANN, "r7").live(many).accepted().removed()).hasSize(999);
            assertThat(hot.hit(null).counters())
                    .extracting(Counter::reaction)
                    .containsExactlyInAnyOrder(LIKE, "r7");
        }
    }

    @Nested
    class ExclusiveReactions {

        @Test
        void mayReplaceEachOther() {
            assertThat(hot.put(ANN, DISLIKE).exclusive(LIKE, DISLIKE, "1").accepted())
                    .extracting(Accepted::added, Accepted::removed)
                    .containsExactly(List.of(DISLIKE), List.of(LIKE, "1"));
        }

        @Test
        void areNotWantedTogether() {
            var before = hot.everything();

            assertThat(hot.put(ANN, "2", DISLIKE, HEART).exclusive(HEART, DISLIKE).reply())
                    .isEqualTo(new Refused(Reason.CONFLICT, 2, DISLIKE, List.of(HEART)));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void aPutCannotAddAReactionThatConflictsWithAKeptOne() {
            assertThat(
                            hot.put(ANN, DISLIKE, LIKE, "1")
                                    .exclusive("1", DISLIKE)
                                    .exclusive(LIKE, DISLIKE, "1")
                                    .reply())
                    .isEqualTo(new Refused(Reason.CONFLICT, 2, DISLIKE, List.of("1", LIKE)));
        }

        @Test
        void thatAreBothThereMayStay() {
            assertThat(hot.put(ANN, LIKE, "1").exclusive(LIKE, "1").accepted().changed()).isFalse();
            assertThat(hot.put(ANN, LIKE, "1", "2").exclusive(LIKE, "1").accepted().added())
                    .containsExactly("2");
        }
    }

    @Nested
    class TheLimit {

        @Test
        void theLimitIsCheckedAfterTheRemovals() {
            assertThat(hot.put(ANN, LIKE, "2").limit(2).accepted().changed()).isTrue();
        }

        @Test
        void theLimitCountsReactionsThatOtherUsersKeep() {
            hot.add(BEN, "1").accepted();

            assertThat(hot.put(ANN, LIKE, "2").limit(2).reply())
                    .isEqualTo(new Refused(Reason.LIMIT, 4));
        }

        @Test
        void countsEachNewKind() {
            assertThat(hot.put(BEN, LIKE, "2", HEART).limit(3).reply())
                    .isEqualTo(new Refused(Reason.LIMIT, 3));
            assertThat(hot.put(BEN, LIKE, "2", HEART).limit(4).accepted().changed()).isTrue();
        }

        @Test
        void countsNoKindThatIsShown() {
            assertThat(hot.put(BEN, "1", "2").limit(3).accepted().changed()).isTrue();
            assertThat(hot.put(BEN, LIKE, "1").limit(1).accepted().changed()).isTrue();
        }

        @Test
        void refusesNothingThatIsThere() {
            assertThat(hot.put(ANN, LIKE).limit(0).accepted().removed()).containsExactly("1");
            assertThat(hot.put(BEN, LIKE, "2").limit(0).reply())
                    .isEqualTo(new Refused(Reason.LIMIT, 4));
        }
    }

    @Nested
    class ARetiredReaction {

        @BeforeEach
        void annHasOne() {
            hot.redis.del(counts(), users());
            hot.ack(3);
            hot.load(
                    complete(
                            List.of(new Counter(RETIRED, 1, 1, 1)), Map.of(ANN, List.of(RETIRED))));
        }

        @Test
        void staysWhenItIsWanted() {
            assertThat(hot.put(ANN, RETIRED).accepted().changed()).isFalse();
            assertThat(hot.put(ANN, LIKE, RETIRED).limit(1).accepted().own())
                    .containsExactly(RETIRED, LIKE);
        }

        @Test
        void goesWhenItIsNot() {
            assertThat(hot.put(ANN, LIKE).accepted().removed()).containsExactly(RETIRED);
        }

        @Test
        void aRetiredReactionIsUnknownToAUserWithoutIt() {
            hot.add(BEN, LIKE).accepted();

            assertThat(hot.put(BEN, LIKE, RETIRED).reply())
                    .isEqualTo(new Refused(Reason.UNKNOWN, 4, RETIRED, List.of()));
        }
    }

    @Nested
    class AState {

        @Test
        void aPutExpectingAnotherStateIsRefusedWithTheCurrentOne() {
            var before = hot.everything();

            for (Basis other : List.of(Basis.NONE, Basis.of(3, "op2"), Basis.of(2, "op3"))) {
                assertThat(hot.put(ANN).on(other).reply())
                        .isEqualTo(
                                new Other(
                                        3, 3, "op3", hot.hit(ANN).counters(), List.of(LIKE, "1")));
            }
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void thatIsTheOnlyOneIsChanged() {
            assertThat(hot.put(ANN).on(Basis.of(3, "op3")).accepted().changed()).isTrue();
        }

        @Test
        void anUntouchedEntityCanBeTheExpectedState() {
            hot.redis.del(counts(), users());
            hot.ack(3);
            hot.load(untouched());

            assertThat(hot.put(ANN, LIKE).on(Basis.of(0, "")).accepted().changed()).isTrue();
            assertThat(hot.put(ANN, LIKE).on(Basis.of(0, "")).reply()).isInstanceOf(Other.class);
        }

        @Test
        void mustIncludeAChangeThatOthersRestOn() {
            assertThat(hot.add(BEN, "2").on(Basis.after(3)).accepted().seq()).isEqualTo(4);
            assertThat(hot.add(BEN, "3").on(Basis.after(3)).accepted().seq()).isEqualTo(5);
        }

        @Test
        void thatWasLoadedAnewMayNotIncludeIt() {
            hot.redis.del(counts(), users());
            hot.ack(3, committed("op3", 3));
            hot.load(untouched());

            assertThat(hot.add(BEN, "2").on(Basis.after(3)).reply())
                    .isEqualTo(new Other(0, 0, "", List.of(), List.of()));
        }

        @Test
        void thatWasLoadedAnewIncludesACommitOnceItIsAcknowledged() {
            hot.redis.del(counts(), users());
            hot.load(untouched());
            assertThat(hot.add(BEN, "2").on(Basis.afterCommit(3)).reply())
                    .isInstanceOf(Other.class);

            hot.ack(3);
            assertThat(hot.add(BEN, "2").on(Basis.after(3)).reply()).isInstanceOf(Other.class);
            assertThat(hot.add(BEN, "2").on(Basis.afterCommit(3)).accepted().seq()).isEqualTo(4);
        }

        @Test
        void aNoOpOnAReloadedStateDependsOnItsLastEvent() {
            hot.redis.del(counts(), users());
            hot.load(untouched());
            assertThat(hot.add(BEN, "1").accepted().seq()).isEqualTo(4);
            hot.ack(3);

            var unchanged = hot.remove(ANN, "2").on(Basis.afterCommit(3)).accepted();
            assertThat(unchanged.changed()).isFalse();
            assertThat(unchanged.seq()).isEqualTo(4);
        }

        @Test
        void aReloadedStateMayLackAnEventDespiteALaterOne() {
            hot.redis.del(counts(), users());
            hot.ack(3, committed("op3", 3));
            hot.load(untouched());
            assertThat(hot.add(BEN, "1").accepted().seq()).isEqualTo(4);

            assertThat(hot.add(BEN, "2").on(Basis.after(3)).reply()).isInstanceOf(Other.class);
        }
    }
}
