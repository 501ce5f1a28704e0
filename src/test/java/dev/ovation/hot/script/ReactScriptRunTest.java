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
import dev.ovation.hot.Event;
import dev.ovation.hot.Fence;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.Proposal.Basis;
import dev.ovation.hot.RedisSchema;
import dev.ovation.hot.script.ReactScript.Answer;
import dev.ovation.hot.script.ReactScript.Failed;
import dev.ovation.hot.script.ReactScript.Later;
import dev.ovation.hot.script.ReactScript.Reason;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.Fenced;
import dev.ovation.hot.script.ReactScript.Reply.InFlight;
import dev.ovation.hot.script.ReactScript.Reply.Miss;
import dev.ovation.hot.script.ReactScript.Reply.Other;
import dev.ovation.hot.script.ReactScript.Reply.Refused;
import dev.ovation.hot.script.ReactScript.Reply.StaleConfig;

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

    /** An outbox of hundreds, and no crowd. */
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
                    100,
                    Duration.ofSeconds(1));

    private final HotFixture hot = new HotFixture();
    private final ReactScript react = new ReactScript(LARGE);

    @BeforeEach
    void load() {
        hot.load(untouched());
    }

    private List<Answer> run(Wish... wishes) {
        return run(hot.fence, wishes);
    }

    private List<Answer> run(Fence fence, Wish... wishes) {
        var items =
                Stream.of(wishes).map(wish -> HotFixture.item(wish, fence, "token", "")).toList();
        return react.execute(hot.async, items).join();
    }

    @Test
    void judgesEachOnWhatThoseBeforeItHaveLeft() {
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
                                true, 1, 1, List.of(LIKE), List.of(), List.of(), List.of(LIKE)),
                        new Refused(Reason.EXISTS, 1),
                        new Refused(Reason.CONFLICT, 1, DISLIKE, List.of(LIKE)),
                        new Refused(Reason.LIMIT, 1),
                        new Accepted(true, 2, 2, List.of(), List.of(LIKE), List.of(), List.of()),
                        new Accepted(
                                true, 3, 3, List.of(HEART), List.of(), List.of(), List.of(HEART)));
        assertThat(hot.events()).extracting(Event::op).containsExactly("op1", "op5", "op6");
        assertThat(hot.events()).extracting(Event::baseOp).containsExactly("", "op1", "op5");
        assertThat(hot.events()).extracting(Event::at).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void answersInTheOrderOfTheChanges() {
        Wish[] wishes =
                IntStream.range(0, MANY)
                        .mapToObj(n -> hot.add("user " + n, "r" + n % 7).limit(7))
                        .toArray(Wish[]::new);

        List<Answer> answers = run(wishes);

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

        List<Answer> answers =
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
    void theSecondWhoMissesAnEntityIsToldTheFirst() {
        hot.redis.del(counts());

        assertThat(
                        hot.run(
                                        HotFixture.item(hot.add(ANN, LIKE), hot.fence, "a", ""),
                                        HotFixture.item(hot.add(BEN, LIKE), hot.fence, "b", ""))
                                .join())
                .containsExactly(new Miss("a"), new Miss("a"));
    }

    @Test
    void whatFailsTouchesNeitherThoseBeforeNorThoseAfterIt() {
        var broken = new EntityKey("posts", "broken");
        hot.redis.set(RedisSchema.counts(P, broken), "no hash");

        assertThat(run(hot.add(ANN, LIKE), hot.add(ANN, LIKE).on(broken), hot.add(BEN, LIKE)))
                .satisfiesExactly(
                        one -> assertThat(((Accepted) one).seq()).isEqualTo(1),
                        one -> assertThat(((Failed) one).error()).contains("WRONGTYPE"),
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

    private static Consumer<Answer> refused() {
        return one -> assertThat(((Failed) one).error()).startsWith("OOM ");
    }

    @Test
    void anEventThatTheOutboxRefusesChangesNothingOfItsNeighbours() {
        hot.add(ANN, LIKE).accepted();
        hot.redis.hset(RedisSchema.meta(P), "seq", "0");
        var before = hot.everything();

        assertThat(run(hot.add(BEN, LIKE), hot.add(CAT, LIKE)))
                .allSatisfy(
                        one ->
                                assertThat(((Failed) one).error())
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

    /** The same changes by the same script, in runs of any length, come to the same. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
    void comesToTheSameAsOneByOne(long seed) {
        List<Answer> alone = sent(new Random(seed), List.of(1));
        var expected = hot.everything();
        hot.redis.flushall();
        hot.open(hot.fence);
        load();

        List<Answer> together = sent(new Random(seed), List.of(1, 2, 5, 13, 50));

        assertThat(together).isEqualTo(alone);
        assertThat(hot.everything()).isEqualTo(expected);
    }

    private List<Answer> sent(Random random, List<Integer> lengths) {
        List<Wish> wishes = IntStream.range(0, 377).mapToObj(n -> any(n, random)).toList();
        var answers = new ArrayList<Answer>();
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
