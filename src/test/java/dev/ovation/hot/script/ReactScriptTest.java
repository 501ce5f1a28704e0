package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.CAT;
import static dev.ovation.hot.script.HotFixture.CONFIG;
import static dev.ovation.hot.script.HotFixture.DISLIKE;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.POST;
import static dev.ovation.hot.script.HotFixture.RETIRED;
import static dev.ovation.hot.script.HotFixture.SETTINGS;
import static dev.ovation.hot.script.HotFixture.committed;
import static dev.ovation.hot.script.HotFixture.complete;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.lease;
import static dev.ovation.hot.script.HotFixture.partial;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Event;
import dev.ovation.hot.Fence;
import dev.ovation.hot.RedisSchema;
import dev.ovation.hot.script.ReactScript.Reason;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.Fenced;
import dev.ovation.hot.script.ReactScript.Reply.Full;
import dev.ovation.hot.script.ReactScript.Reply.InFlight;
import dev.ovation.hot.script.ReactScript.Reply.Miss;
import dev.ovation.hot.script.ReactScript.Reply.Refused;
import dev.ovation.hot.script.ReactScript.Reply.StaleConfig;
import dev.ovation.hot.script.ReactScript.Reply.UserMiss;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class ReactScriptTest {

    private final HotFixture hot = new HotFixture();

    @Nested
    class AChange {

        @Test
        void isCountedAndAnsweredWithTheStateAfterIt() {
            hot.load(complete(List.of(new Counter(LIKE, 1, 100, 100)), Map.of(BEN, List.of(LIKE))));

            Accepted reply = hot.add(ANN, LIKE).at(5000).withState().accepted();

            assertThat(reply)
                    .isEqualTo(
                            new Accepted(
                                    true,
                                    1,
                                    11,
                                    List.of(LIKE),
                                    List.of(),
                                    List.of(new Counter(LIKE, 2, 100, 5000)),
                                    List.of(LIKE)));
            assertThat(hot.hit(ANN))
                    .isEqualTo(
                            new ReadScript.Reply.Hit(
                                    11,
                                    "op1",
                                    List.of(new Counter(LIKE, 2, 100, 5000)),
                                    List.of(LIKE)));
        }

        @Test
        void holdsNoCountersInItsAnswerUnlessTheyAreWanted() {
            hot.load(untouched());

            assertThat(hot.add(ANN, LIKE).accepted().counters()).isEmpty();
        }

        @Test
        void isAppendedToTheOutboxWithAllItsFields() {
            hot.load(complete(List.of(new Counter(LIKE, 1, 100, 100)), Map.of(BEN, List.of(LIKE))));
            hot.add(ANN, LIKE).op("op").at(5000).accepted();

            var entry = hot.outbox().getFirst();
            assertThat(entry.getId()).isEqualTo("1-1");
            assertThat(entry.getBody()).containsOnlyKeys(Event.FIELD);
            assertThat(Event.members(entry.getBody()))
                    .isEqualTo(
                            Map.ofEntries(
                                    Map.entry("s", Event.SCHEMA),
                                    Map.entry("op", "op"),
                                    Map.entry("base", "before"),
                                    Map.entry("n", POST.namespace()),
                                    Map.entry("e", POST.entity()),
                                    Map.entry("u", ANN),
                                    Map.entry("add", LIKE),
                                    Map.entry("rem", ""),
                                    Map.entry("bv", "10"),
                                    Map.entry("v", "11"),
                                    Map.entry(
                                            "cnt",
                                            RedisSchema.join(List.of(LIKE, "2", "100", "5000"))),
                                    Map.entry("at", "5000"),
                                    Map.entry("cfg", Long.toString(CONFIG))));
        }

        @Test
        void buildsOnTheOneBefore() {
            hot.load(untouched());
            hot.add(ANN, LIKE).op("first").accepted();
            hot.add(BEN, HEART).op("second").accepted();
            hot.remove(ANN, LIKE).op("third").accepted();

            assertThat(hot.events()).extracting(Event::seq).containsExactly(1L, 2L, 3L);
            assertThat(hot.events())
                    .extracting(Event::baseOp)
                    .containsExactly("", "first", "second");
            assertThat(hot.events()).extracting(Event::baseVersion).containsExactly(0L, 1L, 2L);
            assertThat(hot.events()).extracting(Event::version).containsExactly(1L, 2L, 3L);
        }

        @Test
        void hasATimeThatGrowsAlthoughTheClockGoesBack() {
            hot.load(complete(List.of(), Map.of()));
            hot.add(ANN, LIKE).at(7).accepted();
            hot.add(BEN, LIKE).at(3000).accepted();
            hot.add(CAT, LIKE).at(3000).accepted();

            assertThat(hot.events()).extracting(Event::at).containsExactly(1001L, 3000L, 3001L);
            assertThat(hot.hit(null).counters()).containsExactly(new Counter(LIKE, 3, 1001, 3001));
        }

        @Test
        void keepsMicrosecondsAndCountsExact() {
            long now = 1_780_000_000_123_457L;
            hot.load(complete(List.of(new Counter(LIKE, 9_007_199_254_740_990L, 1, 2)), Map.of()));
            hot.add(ANN, LIKE).at(now).accepted();

            assertThat(hot.hit(null).counters())
                    .containsExactly(new Counter(LIKE, 9_007_199_254_740_991L, 1, now));
            assertThat(hot.events().getFirst().at()).isEqualTo(now);
        }

        @Test
        void marksTheEntity() {
            hot.load(untouched());
            hot.add(ANN, LIKE).accepted();
            hot.add(ANN, HEART).op("op").at(6000).accepted();

            assertThat(hot.redis.hgetall(counts()))
                    .containsEntry("version", "2")
                    .containsEntry("op", "op")
                    .containsEntry("seq", "2")
                    .containsEntry("at", "6000")
                    .containsEntry("since", "0");
            assertThat(hot.userField(ANN)).isEqualTo(RedisSchema.join(List.of("2", LIKE, HEART)));
        }

        @Test
        void makesBothHashesDirty() {
            hot.load(untouched());
            assertThat(hot.clean(counts()) && hot.clean(users())).isTrue();

            hot.add(ANN, LIKE).accepted();
            assertThat(hot.dirty(counts()) && hot.dirty(users())).isTrue();
        }

        @Test
        void makesACleanEntityDirtyAgain() {
            hot.load(untouched());
            hot.add(ANN, LIKE).op("op").accepted();
            hot.ack(1, committed("op", 1));
            hot.remove(ANN, LIKE).accepted();

            assertThat(hot.dirty(counts()) && hot.dirty(users())).isTrue();
        }
    }

    @Nested
    class ARemoval {

        @Test
        void lowersTheCountAndKeepsTheTimes() {
            hot.load(complete(List.of(new Counter(LIKE, 2, 100, 200)), Map.of(ANN, List.of(LIKE))));

            Accepted reply = hot.remove(ANN, LIKE).withState().accepted();

            assertThat(reply.removed()).containsExactly(LIKE);
            assertThat(reply.added()).isEmpty();
            assertThat(reply.own()).isEmpty();
            assertThat(reply.counters()).containsExactly(new Counter(LIKE, 1, 100, 200));
        }

        @Test
        void ofTheLastOneTakesTheCounterAway() {
            hot.load(complete(List.of(new Counter(LIKE, 1, 100, 200)), Map.of(ANN, List.of(LIKE))));
            hot.remove(ANN, LIKE).accepted();

            assertThat(hot.hit(ANN).counters()).isEmpty();
            assertThat(hot.redis.hexists(counts(), "r:" + LIKE)).isFalse();
            assertThat(hot.events().getFirst().touched())
                    .containsExactly(new Counter(LIKE, 0, 100, 200));
        }

        @Test
        void makesTheNextOneTheFirstAgain() {
            hot.load(complete(List.of(new Counter(LIKE, 1, 100, 200)), Map.of(ANN, List.of(LIKE))));
            hot.remove(ANN, LIKE).at(5000).accepted();
            hot.add(ANN, LIKE).at(6000).accepted();

            assertThat(hot.hit(ANN).counters()).containsExactly(new Counter(LIKE, 1, 6000, 6000));
        }

        @Test
        void ofWhatAnotherUserSetLeavesTheCount() {
            hot.load(complete(List.of(new Counter(LIKE, 1, 100, 200)), Map.of(ANN, List.of(LIKE))));
            var before = hot.everything();

            assertThat(hot.remove(BEN, LIKE).withState().reply())
                    .isEqualTo(
                            new Accepted(
                                    false,
                                    0,
                                    10,
                                    List.of(),
                                    List.of(),
                                    List.of(new Counter(LIKE, 1, 100, 200)),
                                    List.of()));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void ofNothingRestsOnTheUsersOwnLastChange() {
            hot.load(untouched());
            hot.add(ANN, LIKE).accepted();
            hot.remove(ANN, LIKE).accepted();
            hot.add(BEN, LIKE).accepted();

            assertThat(hot.remove(ANN, LIKE).accepted())
                    .extracting(Accepted::changed, Accepted::seq, Accepted::version)
                    .containsExactly(false, 2L, 3L);
            assertThat(hot.outbox()).hasSize(3);
        }

        @Test
        void takesARetiredReactionBack() {
            hot.load(
                    complete(
                            List.of(new Counter(RETIRED, 1, 1, 1)), Map.of(ANN, List.of(RETIRED))));

            assertThat(hot.remove(ANN, RETIRED).accepted().changed()).isTrue();
            assertThat(hot.hit(ANN).counters()).isEmpty();
        }

        @Test
        void isJudgedByNoRules() {
            hot.open(new Fence(2, hot.incarnation()), CONFIG);
            var next = new Fence(2, hot.incarnation());
            hot.load(
                    next,
                    complete(List.of(new Counter(LIKE, 1, 1, 1)), Map.of(ANN, List.of(LIKE))));

            assertThat(hot.remove(ANN, LIKE).reply(next)).isInstanceOf(Accepted.class);
            assertThat(hot.events().getFirst().configVersion()).isZero();
            assertThat(hot.meta("config")).isEqualTo(Long.toString(CONFIG));
        }
    }

    @Nested
    class TheFence {

        @BeforeEach
        void anEntity() {
            hot.load(untouched());
        }

        @Test
        void refusesAnotherEpochAndAnotherServer() {
            var before = hot.everything();

            assertThat(hot.add(ANN, LIKE).reply(new Fence(2, hot.incarnation())))
                    .isEqualTo(new Fenced());
            assertThat(hot.add(ANN, LIKE).reply(new Fence(0, hot.incarnation())))
                    .isEqualTo(new Fenced());
            assertThat(hot.add(ANN, LIKE).reply(new Fence(1, "another"))).isEqualTo(new Fenced());
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void refusesWhereNoEpochIsOpen() {
            hot.redis.flushall();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Fenced());
            assertThat(hot.everything()).isEqualTo(Map.of());
        }

        @Test
        void refusesOnAReplica() {
            hot.demote();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Fenced());
        }

        @Test
        void refusesAfterAPromotion() {
            hot.demote();
            hot.redis.replicaofNoOne();
            var before = hot.everything();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Fenced());
            assertThat(hot.everything()).isEqualTo(before);
        }
    }

    @Nested
    class TheConfiguration {

        @BeforeEach
        void anEntity() {
            hot.load(untouched());
        }

        @Test
        void whenNewerIsStored() {
            hot.add(ANN, LIKE).under(9).accepted();
            assertThat(hot.meta("config")).isEqualTo("9");

            hot.add(BEN, LIKE).under(10).accepted();
            assertThat(hot.meta("config")).isEqualTo("10");
            assertThat(hot.events()).extracting(Event::configVersion).containsExactly(9L, 10L);
        }

        @Test
        void whenOlderRefuses() {
            hot.add(ANN, LIKE).under(10).accepted();
            var before = hot.everything();

            assertThat(hot.add(BEN, LIKE).under(9).reply()).isEqualTo(new StaleConfig());
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void whenTheSameIsFine() {
            hot.add(ANN, LIKE).under(10).accepted();

            assertThat(hot.add(BEN, LIKE).under(10).accepted().changed()).isTrue();
        }
    }

    @Nested
    class Room {

        @BeforeEach
        void anEntity() {
            hot.load(untouched());
        }

        @Test
        void endsAtTheOutboxCap() {
            hot.add(ANN, LIKE).op("op").accepted();
            hot.ack(1, committed("op", 1));
            for (int i = 0; i < SETTINGS.outboxCap(); i++) {
                (i % 2 == 0 ? hot.remove(ANN, LIKE) : hot.add(ANN, LIKE)).accepted();
            }
            var before = hot.everything();

            assertThat(hot.add(BEN, LIKE).reply()).isEqualTo(new Full());
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void isThereAgainAfterTheCommit() {
            while (hot.remove(ANN, LIKE).keyed("key", "request").reply() instanceof Accepted) {
                assertThat(hot.outbox()).hasSizeLessThanOrEqualTo(SETTINGS.outboxCap() + 1);
            }
            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Full());
            hot.ack(2);

            assertThat(hot.add(ANN, LIKE).reply()).isInstanceOf(Accepted.class);
        }

        @Test
        void endsAtMaxmemoryAndNothingChanges() {
            hot.add(ANN, DISLIKE).accepted();
            var before = hot.everything();
            hot.fill();

            for (Wish wish :
                    List.of(
                            hot.add(BEN, LIKE).under(CONFIG + 1),
                            hot.remove(ANN, DISLIKE),
                            hot.put(ANN, LIKE, HEART),
                            hot.put(ANN),
                            hot.add(ANN, LIKE).excludedBy(DISLIKE).force(),
                            hot.add(BEN, LIKE).keyed("key", "request"),
                            hot.remove(BEN, LIKE).keyed("key", "request"))) {
                assertThatThrownBy(wish::reply)
                        .hasRootCauseMessage(
                                "OOM command not allowed when used memory > 'maxmemory'.");
            }
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void endsUnderPressureOfDirtyEntitiesWhichAreNeverEvicted() {
            hot.add(ANN, LIKE).accepted();
            var before = hot.everything();
            hot.squeeze();

            assertThatThrownBy(() -> hot.add(BEN, LIKE).reply())
                    .hasRootCauseMessage("OOM command not allowed when used memory > 'maxmemory'.");
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void isNotNeededForWhatChangesNothing() {
            hot.add(ANN, LIKE).accepted();
            hot.fill();

            assertThat(hot.remove(BEN, LIKE).accepted().changed()).isFalse();
            assertThat(hot.add(ANN, LIKE).reply()).isInstanceOf(Refused.class);
        }

        @Test
        void missingForALeaseIsAMissThatNobodyHolds() {
            hot.redis.del(counts());
            hot.fill();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Miss(""));
        }

        @Test
        void missingForTheLeaseOfAUserIsAMissThatNobodyHolds() {
            hot.redis.del(counts());
            hot.load(partial(List.of(), Map.of()));
            hot.fill();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new UserMiss(""));
        }

        @Test
        void anEventThatTheOutboxRefusesChangesNothing() {
            hot.add(ANN, LIKE).accepted();
            hot.redis.hset(RedisSchema.meta(P), "seq", "0");
            var before = hot.everything();

            assertThatThrownBy(() -> hot.add(BEN, LIKE).reply())
                    .rootCause()
                    .hasMessageStartingWith("ERR The ID specified in XADD is equal or smaller");
            assertThat(hot.everything()).isEqualTo(before);
        }
    }

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
                                    false, 1, 2, List.of(), List.of(), List.of(), List.of(LIKE)));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void isFineWhateverTheLimitAndTheGroups() {
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

        /** More than Lua takes as the arguments of one call, once the event is appended. */
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
        void countsAKindWhoseKeyIsPartOfAnothersOnlyAsItself() {
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
    class AMiss {

        @Test
        void givesTheLeaseToTheFirstAndNamesItToOthers() {
            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Miss("token of " + ANN));
            assertThat(hot.add(BEN, LIKE).reply()).isEqualTo(new Miss("token of " + ANN));
            assertThat(hot.redis.pttl(lease())).isBetween(1L, SETTINGS.lease().toMillis());
            assertThat(hot.outbox()).isEmpty();
        }

        @Test
        void givesTheLeaseToWhoNamesItsHolderAlone() {
            hot.add(ANN, LIKE).reply();

            assertThat(hot.add(CAT, LIKE).insteadOf("somebody"))
                    .isEqualTo(new Miss("token of " + ANN));
            assertThat(hot.add(BEN, LIKE).insteadOf("token of " + ANN))
                    .isEqualTo(new Miss("token of " + BEN));
        }

        @Test
        void isEitherHashMissingOrOfAnotherEpoch() {
            hot.load(untouched());
            hot.redis.del(users());
            assertThat(hot.add(ANN, LIKE).reply()).isInstanceOf(Miss.class);

            hot.redis.del(counts(), lease());
            hot.load(untouched());
            Fence next = hot.reopen();
            assertThat(hot.add(ANN, LIKE).reply(next)).isInstanceOf(Miss.class);
            assertThat(hot.outbox()).isEmpty();
        }
    }

    @Nested
    class ACrowdedEntity {

        @Test
        void mustLookItsUsersUp() {
            hot.load(partial(List.of(new Counter(LIKE, 900, 1, 2)), Map.of()));

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new UserMiss("token of " + ANN));
            assertThat(hot.add(ANN, LIKE).insteadOf("somebody"))
                    .isEqualTo(new UserMiss("token of " + ANN));
            assertThat(hot.add(BEN, LIKE).reply()).isEqualTo(new UserMiss("token of " + BEN));
            assertThat(hot.outbox()).isEmpty();
        }

        @Test
        void givesAUsersLeaseToWhoNamesItsHolder() {
            hot.load(partial(List.of(), Map.of()));
            hot.read(ANN, "reader");

            assertThat(hot.add(ANN, LIKE).insteadOf("reader"))
                    .isEqualTo(new UserMiss("token of " + ANN));
        }

        @Test
        void isChangedByWhoWasLookedUp() {
            hot.load(partial(List.of(new Counter(LIKE, 900, 1, 2)), Map.of()));
            hot.lookUp(ANN, LIKE);
            hot.lookUp(BEN);

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Refused(Reason.EXISTS, 0));
            assertThat(hot.add(BEN, LIKE).withState().accepted().counters())
                    .containsExactly(new Counter(LIKE, 901, 1, 5000));
        }

        @Test
        void isOneThatOutgrewItsBound() {
            hot.load(untouched());
            for (int i = 1; i <= SETTINGS.crowd(); i++) {
                hot.add("user" + i, LIKE).accepted();
            }
            assertThat(hot.redis.hget(users(), "complete")).isEqualTo("1");

            hot.add(ANN, LIKE).accepted();
            assertThat(hot.redis.hget(users(), "complete")).isEqualTo("0");
            assertThat(hot.hit("user1").own()).containsExactly(LIKE);
            assertThat(hot.add(BEN, LIKE).reply()).isInstanceOf(UserMiss.class);
        }

        @Test
        void keepsWhoHasAChangeThatIsNotAckedAndDropsOthers() {
            hot.load(partial(List.of(), HotFixture.people(37, LIKE)));
            hot.lookUp(ANN);
            hot.add(ANN, LIKE).accepted();

            assertThat(hot.redis.hlen(users())).isEqualTo(SETTINGS.partialBound());

            for (int i = 0; i < 37; i++) {
                hot.lookUp("other" + i);
            }
            assertThat(hot.hit(ANN).own()).containsExactly(LIKE);
        }

        @Test
        void mayExceedItsBoundByChangesThatAreNotAcked() {
            hot.load(partial(List.of(), Map.of()));
            for (int i = 1; i <= SETTINGS.partialBound(); i++) {
                hot.lookUp("user" + i);
                hot.add("user" + i, LIKE).accepted();
            }

            for (int i = 1; i <= SETTINGS.partialBound(); i++) {
                assertThat(hot.hit("user" + i).own()).containsExactly(LIKE);
            }
        }
    }

    @Nested
    class AnIdempotencyKey {

        @BeforeEach
        void anEntity() {
            hot.load(
                    complete(
                            List.of(new Counter(DISLIKE, 1, 10, 10), new Counter(HEART, 4, 1, 900)),
                            Map.of(ANN, List.of(DISLIKE, HEART))));
        }

        @Test
        void travelsInTheEventWithTheStateAfterTheChange() {
            Accepted reply =
                    hot.add(ANN, LIKE)
                            .excludedBy(DISLIKE)
                            .force()
                            .keyed(HotFixture.ODD, "request")
                            .withState()
                            .accepted();

            Event.Keyed keyed = hot.events().getFirst().keyed();
            assertThat(keyed.key()).isEqualTo(HotFixture.ODD);
            assertThat(keyed.requestHash()).isEqualTo("hash of " + HotFixture.ODD);
            assertThat(keyed.own()).containsExactly(HEART, LIKE);
            assertThat(keyed.counters())
                    .containsExactlyInAnyOrder(
                            new Counter(HEART, 4, 1, 900), new Counter(LIKE, 1, 5000, 5000))
                    .containsExactlyInAnyOrderElementsOf(reply.counters());
        }

        @Test
        void holdsTheCounterThatChangedOnce() {
            hot.add(BEN, HEART).keyed("key", "request").accepted();

            assertThat(hot.events().getFirst().keyed().counters())
                    .containsExactlyInAnyOrder(
                            new Counter(HEART, 5, 1, 5000), new Counter(DISLIKE, 1, 10, 10));
        }

        @Test
        void makesAnEventOfWhatChangesNothing() {
            Accepted reply =
                    hot.remove(ANN, LIKE)
                            .op("no-op")
                            .keyed("key", "request")
                            .withState()
                            .accepted();

            assertThat(reply)
                    .extracting(Accepted::changed, Accepted::seq, Accepted::version)
                    .containsExactly(false, 1L, 10L);
            Event event = hot.events().getFirst();
            assertThat(event)
                    .extracting(Event::op, Event::baseOp, Event::baseVersion, Event::version)
                    .containsExactly("no-op", "before", 10L, 10L);
            assertThat(event.added()).isEmpty();
            assertThat(event.removed()).isEmpty();
            assertThat(event.touched()).isEmpty();
            assertThat(event.keyed().own()).containsExactly(DISLIKE, HEART);
            assertThat(event.keyed().counters())
                    .containsExactlyInAnyOrderElementsOf(reply.counters());
        }

        @Test
        void makesAnEventOfWhatIsThereAlready() {
            Accepted reply =
                    hot.add(ANN, HEART).existingIsFine().keyed("key", "request").accepted();

            assertThat(reply.changed()).isFalse();
            assertThat(reply.seq()).isEqualTo(1);
            assertThat(reply.own()).containsExactly(DISLIKE, HEART);
            assertThat(hot.hit(ANN).counters())
                    .containsExactlyInAnyOrder(
                            new Counter(DISLIKE, 1, 10, 10), new Counter(HEART, 4, 1, 900));
        }

        @Test
        void makesEventsOnWhichTheNextOnesBuild() {
            hot.remove(ANN, LIKE).op("no-op").keyed("key", "request").accepted();
            hot.add(ANN, LIKE).accepted();

            Event next = hot.events().getLast();
            assertThat(next)
                    .extracting(Event::baseOp, Event::baseVersion, Event::version)
                    .containsExactly("no-op", 10L, 11L);
            assertThat(next.keyed()).isNull();
        }

        @Test
        void thatIsUnderWayStopsAnotherRequest() {
            hot.add(ANN, LIKE).keyed("key", "first").accepted();
            var before = hot.everything();

            assertThat(hot.add(ANN, "1").keyed("key", "second").reply()).isEqualTo(new InFlight());
            assertThat(hot.remove(ANN, LIKE).keyed("key", "second").reply())
                    .isEqualTo(new InFlight());
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void thatIsUnderWayLetsTheSameRequestTryAgain() {
            hot.add(ANN, LIKE).keyed("key", "first").accepted();

            assertThat(hot.add(ANN, "1").keyed("key", "first").accepted().changed()).isTrue();
        }

        @Test
        void isUnderWayForAWhile() {
            hot.add(ANN, LIKE).keyed("key", "first").accepted();

            assertThat(hot.redis.pttl(RedisSchema.inHand(P, POST.namespace(), ANN, "key")))
                    .isBetween(1L, SETTINGS.inHand().toMillis());
        }

        @Test
        void belongsToOneUser() {
            hot.add(ANN, LIKE).keyed("key", "first").accepted();

            assertThat(hot.add(BEN, LIKE).keyed("key", "second").accepted().changed()).isTrue();
        }

        @Test
        void isFreeAfterARefusal() {
            hot.add(ANN, HEART).keyed("key", "first").reply();

            assertThat(hot.add(ANN, LIKE).keyed("key", "second").accepted().changed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "\\",
                ";",
                "%",
                "%d",
                "..",
                ".",
                "|",
                "{",
                "}",
                "{}",
                "{8}",
                ":",
                "a:b",
                "*",
                "^r:",
                "epoch",
                "complete",
                "u:",
                "r:",
                "0",
                "-1",
                " ",
                "👍🏽",
                "👩‍💻",
                "❤️",
                "❤",
                "🏳️‍🌈",
                "\u00e9",
                "e\u0301"
            })
    void everyIdIsTakenAsItIs(String id) {
        var key = new EntityKey("posts", id);
        load(key);

        Accepted reply =
                (Accepted) hot.add(id, id).on(key).keyed(id, id).live(id).withState().reply();

        assertThat(reply.own()).containsExactly(id);
        assertThat(reply.counters()).containsExactly(new Counter(id, 1, 5000, 5000));
        Event event = hot.events().getFirst();
        assertThat(event.key()).isEqualTo(key);
        assertThat(event.user()).isEqualTo(id);
        assertThat(event.added()).containsExactly(id);
        assertThat(event.keyed().key()).isEqualTo(id);
        assertThat(hot.add(id, "other").on(key).live(id, "other").limit(1).reply())
                .isEqualTo(new Refused(Reason.LIMIT, 1));
        assertThat(hot.add(id, "other").on(key).excludedBy(id).reply())
                .isEqualTo(new Refused(Reason.CONFLICT, 1, "other", List.of(id)));
    }

    /** Many changes, compared with counting by hand. */
    @Test
    void countsAsOneWouldByHand() {
        hot.load(untouched());
        var byHand = new HashMap<String, Map<String, Boolean>>();
        var random = new Random(377);
        for (int i = 1; i <= 377; i++) {
            String user = "user" + random.nextInt(SETTINGS.crowd());
            String reaction = List.of(LIKE, DISLIKE, HEART).get(random.nextInt(3));
            boolean add = random.nextBoolean();
            Wish wish = add ? hot.add(user, reaction).existingIsFine() : hot.remove(user, reaction);
            boolean changed = wish.op("op " + i).accepted().changed();
            var own = byHand.computeIfAbsent(user, _ -> new HashMap<>());
            assertThat(changed)
                    .isEqualTo(
                            add ? own.put(reaction, true) == null : own.remove(reaction) != null);
            hot.ack(Long.parseLong(hot.meta("seq")));
        }

        Map<String, Long> counted =
                byHand.values().stream()
                        .flatMap(own -> own.keySet().stream())
                        .collect(Collectors.groupingBy(id -> id, Collectors.counting()));
        assertThat(
                        hot.hit(null).counters().stream()
                                .collect(Collectors.toMap(Counter::reaction, Counter::count)))
                .isEqualTo(counted);
    }

    private void load(EntityKey key) {
        var item = new ReadScript.Item(P, hot.fence, key, ANN, "loader", "", "");
        assertThat(hot.read(item)).containsExactly(new ReadScript.Reply.Miss("loader"));
        new InstallScript(SETTINGS)
                .execute(hot.async, P, hot.fence, key, untouched(), "loader")
                .join();
    }
}
