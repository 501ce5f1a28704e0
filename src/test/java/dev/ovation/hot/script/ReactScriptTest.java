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
import static dev.ovation.hot.script.HotFixture.item;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.ReactScript.Reason;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.Refused;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.RedisSchema;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

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
                                    List.of(LIKE),
                                    hot.event(1)));
            assertThat(hot.hit(ANN))
                    .isEqualTo(
                            new ReadScript.Reply.Hit(
                                    11,
                                    "op1",
                                    2,
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
        void theAnsweredEventEqualsTheOneInTheOutbox() {
            hot.load(untouched());
            var accepted = new ArrayList<Accepted>();
            accepted.add(hot.add(ANN, LIKE).accepted());
            accepted.add(hot.add(ANN, DISLIKE).excludedBy(LIKE).force().withState().accepted());
            accepted.add(hot.add(BEN, HEART).keyed("key", "request").accepted());
            accepted.add(hot.remove(BEN, HEART).accepted());
            accepted.add(hot.remove(BEN, HEART).keyed("no-op", "another").accepted());
            accepted.add(hot.put(CAT, LIKE, HEART).accepted());
            accepted.add(hot.put(CAT, HEART, DISLIKE).keyed("put", "third").withState().accepted());
            accepted.add(hot.add(ANN, HEART).on(Proposal.Basis.of(6, "op7")).accepted());
            hot.run(
                            item(hot.add(CAT, LIKE), hot.fence, "token", ""),
                            item(hot.remove(ANN, HEART), hot.fence, "token", ""))
                    .join()
                    .forEach(answer -> accepted.add((Accepted) answer));

            assertThat(accepted)
                    .extracting(one -> Event.read(one.seq(), Event.members(one.event())))
                    .isEqualTo(hot.events())
                    .hasSize(10);
            assertThat(accepted)
                    .extracting(Accepted::event)
                    .isEqualTo(hot.outbox().stream().map(e -> e.getBody().get("e")).toList());
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
        void ofTheLastReactionDeletesTheCounter() {
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
        void aRemovalOfAnotherUsersReactionChangesNothing() {
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
                                    List.of(),
                                    ""));
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void anEmptySetDependsOnTheUsersOwnLastChange() {
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

    /** Compares many changes with counts of the test. */
    @Test
    void countsAsOneWouldByHand() {
        hot.load(untouched());
        var byHand = new HashMap<String, Map<String, Boolean>>();
        var random = new Random(377);
        for (int i = 1; i <= 377; i++) {
            String user = "user" + random.nextInt(SETTINGS.completeLimit());
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
        var item = new ReadScript.ReadItem(P, hot.fence, key, ANN, "loader", "", "");
        assertThat(hot.read(item)).containsExactly(new ReadScript.Reply.Miss("loader"));
        new InstallScript(SETTINGS)
                .execute(hot.async, P, hot.fence, key, untouched(), "loader")
                .join();
    }
}
