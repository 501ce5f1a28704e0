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
import static dev.ovation.hot.script.HotFixture.complete;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.ReactScript.Later;
import dev.ovation.hot.script.ReactScript.ReactFailure;
import dev.ovation.hot.script.ReactScript.ReactReply;
import dev.ovation.hot.script.ReactScript.Reason;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.Fenced;
import dev.ovation.hot.script.ReactScript.Reply.Full;
import dev.ovation.hot.script.ReactScript.Reply.InFlight;
import dev.ovation.hot.script.ReactScript.Reply.Miss;
import dev.ovation.hot.script.ReactScript.Reply.Other;
import dev.ovation.hot.script.ReactScript.Reply.Refused;
import dev.ovation.hot.script.ReactScript.Reply.StaleConfig;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.Proposal.Basis;
import dev.ovation.hot.state.RedisSchema;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** {@code react.lua}: many changes in one run. */
class ReactScriptRunTest {

    private static final int MANY = 77;

    /** An outbox of hundreds, and no high-cardinality entity. */
    private static final HotSettings LARGE =
            new HotSettings(
                    Duration.ofHours(1),
                    Duration.ofMinutes(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    1000,
                    1000,
                    1000,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(1));

    private final HotFixture hot = new HotFixture();
    private final ReactScript react =
            new ReactScript(LARGE, new FilterMetrics(new SimpleMeterRegistry()));

    @BeforeEach
    void load() {
        hot.load(untouched());
    }

    private List<ReactReply> run(Wish... wishes) {
        return run(hot.fence, wishes);
    }

    private List<ReactReply> run(Fence fence, Wish... wishes) {
        var items =
                Stream.of(wishes).map(wish -> HotFixture.item(wish, fence, "token", "")).toList();
        return react.execute(hot.async, items).join();
    }

    /** Each change has a season of its own. */
    @Test
    void theSetIsSentOnceForAllChangesOfARun() {
        String[] set =
                IntStream.range(0, 3_000)
                        .mapToObj("reaction-%04d"::formatted)
                        .toArray(String[]::new);
        int size = String.join(RedisSchema.SEPARATOR, set).length();
        var wishes =
                IntStream.range(0, 20)
                        .mapToObj(
                                i ->
                                        hot.add("user-" + i, set[i])
                                                .live(set)
                                                .limit(100)
                                                .until(set[i], Long.MAX_VALUE / 1_000_000 - i))
                        .toArray(Wish[]::new);
        run(hot.add(ANN, LIKE)); // the server has the script from now on
        long before = received();

        assertThat(run(wishes)).allMatch(Accepted.class::isInstance);

        assertThat(received() - before).isBetween((long) size, 2L * size);
    }

    private long received() {
        return hot.redis
                .info("stats")
                .lines()
                .filter(line -> line.startsWith("total_net_input_bytes:"))
                .mapToLong(line -> Long.parseLong(line.split(":")[1].strip()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachChangeIsJudgedOnTheStateThatEarlierOnesLeft() {
        assertThat(
                        run(
                                hot.add(ANN, LIKE),
                                hot.add(ANN, LIKE),
                                hot.add(ANN, DISLIKE).excludedBy(LIKE),
                                hot.add(BEN, HEART).limit(1),
                                hot.remove(ANN, LIKE),
                                hot.add(BEN, HEART).limit(1)))
                .containsExactly(
                        new Accepted(
                                true,
                                1,
                                1,
                                List.of(LIKE),
                                List.of(),
                                List.of(),
                                List.of(LIKE),
                                hot.event(1)),
                        new Refused(Reason.EXISTS, 1),
                        new Refused(Reason.CONFLICT, 1, DISLIKE, List.of(LIKE)),
                        new Refused(Reason.LIMIT, 1),
                        new Accepted(
                                true,
                                2,
                                2,
                                List.of(),
                                List.of(LIKE),
                                List.of(),
                                List.of(),
                                hot.event(2)),
                        new Accepted(
                                true,
                                3,
                                3,
                                List.of(HEART),
                                List.of(),
                                List.of(),
                                List.of(HEART),
                                hot.event(3)));
        assertThat(hot.events()).extracting(Event::op).containsExactly("op1", "op5", "op6");
        assertThat(hot.events()).extracting(Event::baseOp).containsExactly("", "op1", "op5");
        assertThat(hot.events()).extracting(Event::at).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void eventsOfTheRunCountTowardsTheOutboxCap() {
        var items =
                IntStream.range(0, 12)
                        .mapToObj(n -> n % 2 == 0 ? hot.add(ANN, LIKE) : hot.remove(ANN, LIKE))
                        .map(wish -> HotFixture.item(wish, hot.fence, "token", ""))
                        .toArray(ReactScript.ReactItem[]::new);

        var answers = hot.run(items).join(); // with the small cap of the fixture

        assertThat(answers).filteredOn(Accepted.class::isInstance).hasSize(10);
        assertThat(answers.subList(10, 12)).containsOnly(new Full());
        assertThat(hot.meta("seq")).isEqualTo("10");
        assertThat(hot.meta("config")).isEqualTo(Long.toString(HotFixture.CONFIG));
        hot.ack(10);
        var next = (Accepted) run(hot.add(BEN, LIKE)).getFirst();
        assertThat(next.seq()).isEqualTo(11);
    }

    @Test
    void answersInTheOrderOfTheChanges() {
        Wish[] wishes =
                IntStream.range(0, MANY)
                        .mapToObj(n -> hot.add("user " + n, "r" + n % 7).limit(7))
                        .toArray(Wish[]::new);

        List<ReactReply> answers = run(wishes);

        for (int n = 0; n < MANY; n++) {
            var accepted = (Accepted) answers.get(n);
            assertThat(accepted.added()).containsExactly("r" + n % 7);
            assertThat(accepted.seq()).isEqualTo(n + 1);
            assertThat(hot.events().get(n).user()).isEqualTo("user " + n);
        }
    }

    @Test
    void judgesEachByItsOwnFence() {
        var older = new Fence(hot.fence.epoch() - 1, hot.fence.incarnation());
        var elsewhere = new Fence(hot.fence.epoch(), "elsewhere");

        List<ReactReply> answers =
                hot.run(
                                HotFixture.item(hot.add(ANN, LIKE), older, "a", ""),
                                HotFixture.item(hot.add(BEN, LIKE), hot.fence, "b", ""),
                                HotFixture.item(hot.add(CAT, LIKE), elsewhere, "c", ""))
                        .join();

        assertThat(answers.getFirst()).isEqualTo(new Fenced());
        assertThat(answers.get(1)).isInstanceOf(Accepted.class);
        assertThat(answers.getLast()).isEqualTo(new Fenced());
        assertThat(hot.events()).extracting(Event::user).containsExactly(BEN);
    }

    @Test
    void judgesEachByItsOwnRules() {
        assertThat(
                        run(
                                hot.put(ANN, LIKE).live(LIKE),
                                hot.put(BEN, LIKE).live(HEART),
                                hot.add(CAT, HEART).limit(0),
                                hot.add(CAT, HEART).under(CONFIG + 1),
                                hot.add(CAT, DISLIKE)))
                .satisfiesExactly(
                        one -> assertThat(one).isInstanceOf(Accepted.class),
                        one ->
                                assertThat(one)
                                        .isEqualTo(new Refused(Reason.UNKNOWN, 0, LIKE, List.of())),
                        one -> assertThat(one).isEqualTo(new Refused(Reason.LIMIT, 1)),
                        one -> assertThat(one).isInstanceOf(Accepted.class),
                        one -> assertThat(one).isEqualTo(new StaleConfig()));
        assertThat(hot.events())
                .extracting(Event::configVersion)
                .containsExactly(CONFIG, CONFIG + 1);
    }

    @Test
    void knowsTheKeysOfThoseBefore() {
        assertThat(
                        run(
                                hot.add(ANN, LIKE).keyed("key", "one"),
                                hot.add(ANN, HEART).keyed("key", "another"),
                                hot.add(BEN, HEART).keyed("key", "third")))
                .satisfiesExactly(
                        one -> assertThat(one).isInstanceOf(Accepted.class),
                        one -> assertThat(one).isEqualTo(new InFlight()),
                        one -> assertThat(one).isInstanceOf(Accepted.class));
        assertThat(hot.events())
                .extracting(event -> event.keyed().own())
                .containsExactly(List.of(LIKE), List.of(HEART));
    }

    @Test
    void ofTwoForTheSameStateOnlyTheFirstIsDone() {
        var state = Basis.of(0, "");

        assertThat(run(hot.put(ANN, LIKE).on(state), hot.put(BEN, HEART).on(state)))
                .satisfiesExactly(
                        one -> assertThat(one).isInstanceOf(Accepted.class),
                        one -> assertThat(one).isInstanceOf(Other.class));
    }

    @Test
    void theSecondMissOfAnEntityNamesTheLeaseHolder() {
        hot.redis.del(counts());

        assertThat(
                        hot.run(
                                        HotFixture.item(hot.add(ANN, LIKE), hot.fence, "a", ""),
                                        HotFixture.item(hot.add(BEN, LIKE), hot.fence, "b", ""))
                                .join())
                .containsExactly(new Miss("a"), new Miss("a"));
    }

    @Test
    void aFailedChangeAffectsNoOtherChangeOfTheRun() {
        var broken = new EntityKey("posts", "broken");
        hot.redis.set(RedisSchema.counts(P, broken), "no hash");

        assertThat(run(hot.add(ANN, LIKE), hot.add(ANN, LIKE).on(broken), hot.add(BEN, LIKE)))
                .satisfiesExactly(
                        one -> assertThat(((Accepted) one).seq()).isEqualTo(1),
                        one -> assertThat(((ReactFailure) one).error()).contains("WRONGTYPE"),
                        one -> assertThat(((Accepted) one).seq()).isEqualTo(2));
        assertThat(hot.events()).extracting(Event::user).containsExactly(ANN, BEN);
        assertThat(hot.hit(BEN).counters()).extracting(Counter::count).containsExactly(2L);
    }

    @Test
    void aRefusalAtMaxmemoryIsOfEachAlone() {
        hot.add(ANN, LIKE).accepted();
        var before = hot.everything();
        hot.fill();

        assertThat(run(hot.add(BEN, LIKE), hot.add(ANN, LIKE), hot.remove(ANN, LIKE)))
                .satisfiesExactly(
                        refused(),
                        one -> assertThat(one).isEqualTo(new Refused(Reason.EXISTS, 1)),
                        refused());
        assertThat(hot.everything()).isEqualTo(before);
    }

    private static Consumer<ReactReply> refused() {
        return one -> assertThat(((ReactFailure) one).error()).startsWith("OOM ");
    }

    @Test
    void anEventThatTheOutboxRefusesChangesNothingOfItsNeighbours() {
        hot.add(ANN, LIKE).accepted();
        hot.redis.hset(RedisSchema.meta(P), "seq", "0");
        var before = hot.everything();

        assertThat(run(hot.add(BEN, LIKE), hot.add(CAT, LIKE)))
                .allSatisfy(
                        one ->
                                assertThat(((ReactFailure) one).error())
                                        .startsWith("ERR The ID specified"));
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void stopsWhenItHasReadMuchAndNothingOfTheRestIsDone() {
        hot.redis.del(counts(), users());
        var kinds = IntStream.range(0, 3000).mapToObj(n -> new Counter("r" + n, 1, n, n)).toList();
        hot.load(complete(kinds, Map.of()));

        assertThat(
                        run(
                                hot.add(ANN, LIKE).withState(),
                                hot.add(BEN, LIKE),
                                hot.add(CAT, LIKE).withState()))
                .satisfiesExactly(
                        one -> assertThat(one).isInstanceOf(Accepted.class),
                        one -> assertThat(one).isEqualTo(new Later()),
                        one -> assertThat(one).isEqualTo(new Later()));
        assertThat(hot.events()).hasSize(1);
    }

    /** The same changes by the same script have equal results in runs of any length. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
    void comesToTheSameAsOneByOne(long seed) {
        List<ReactReply> alone = sent(new Random(seed), List.of(1));
        var expected = hot.everything();
        hot.redis.flushall();
        hot.open(hot.fence);
        load();

        List<ReactReply> together = sent(new Random(seed), List.of(1, 2, 5, 13, 50));

        assertThat(together).isEqualTo(alone);
        assertThat(hot.everything()).isEqualTo(expected);
    }

    private List<ReactReply> sent(Random random, List<Integer> lengths) {
        List<Wish> wishes = IntStream.range(0, 377).mapToObj(n -> any(n, random)).toList();
        var answers = new ArrayList<ReactReply>();
        for (int from = 0, n = 0; from < wishes.size(); n++) {
            int to = Math.min(wishes.size(), from + lengths.get(n % lengths.size()));
            answers.addAll(run(wishes.subList(from, to).toArray(Wish[]::new)));
            from = to;
        }
        return answers;
    }

    private Wish any(int n, Random random) {
        String user = List.of(ANN, BEN, CAT).get(random.nextInt(3));
        String reaction = List.of(LIKE, DISLIKE, HEART, "1").get(random.nextInt(4));
        Wish wish =
                switch (random.nextInt(4)) {
                    case 0 -> hot.remove(user, reaction);
                    case 1 ->
                            hot.put(
                                    user,
                                    random.nextBoolean()
                                            ? List.of("2").toArray(String[]::new)
                                            : new String[] {reaction, "3"});
                    case 2 -> hot.add(user, reaction).excludedBy(LIKE).force();
                    default -> hot.add(user, reaction).excludedBy(DISLIKE).limit(3);
                };
        wish.op("any" + n).at(5000 + random.nextInt(100));
        if (random.nextInt(4) == 0) {
            wish.keyed("key" + random.nextInt(9), "request" + random.nextInt(2));
        }
        if (random.nextInt(20) == 0) {
            wish.on(new EntityKey(POST.namespace(), "missing"));
        }
        return random.nextBoolean() ? wish.withState() : wish;
    }
}
