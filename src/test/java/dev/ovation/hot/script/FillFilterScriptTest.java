package dev.ovation.hot.script;

import static dev.ovation.hot.script.FillFilterScript.Reply.ABSENT;
import static dev.ovation.hot.script.FillFilterScript.Reply.BUSY;
import static dev.ovation.hot.script.FillFilterScript.Reply.COMPLETE;
import static dev.ovation.hot.script.FillFilterScript.Reply.FENCED;
import static dev.ovation.hot.script.FillFilterScript.Reply.LARGE;
import static dev.ovation.hot.script.FillFilterScript.Reply.LOST;
import static dev.ovation.hot.script.FillFilterScript.Reply.READ;
import static dev.ovation.hot.script.FillFilterScript.Reply.WAIT;
import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.CAT;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.PATIENCE;
import static dev.ovation.hot.script.HotFixture.committed;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.filter;
import static dev.ovation.hot.script.HotFixture.partial;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.entity.Counter;
import dev.ovation.hot.script.FillFilterScript.Step;
import dev.ovation.hot.state.Fence;
import dev.ovation.store.snapshot.EntitySnapshot;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

class FillFilterScriptTest {

    private static final long HEADER = 128;
    private static final long SMALLEST = HEADER + 8 * 8192;

    private final HotFixture hot = new HotFixture();

    @BeforeEach
    void aPartialEntity() {
        hot.load(partial(List.of(new Counter(LIKE, 900, 1, 2)), Map.of()));
    }

    private void reload(EntitySnapshot snapshot) {
        hot.redis.del(counts());
        hot.load(snapshot);
    }

    private boolean isLookedUp(String user) {
        return hot.read(user, "reader").equals(new ReadScript.Reply.UserMiss("reader"));
    }

    @Test
    void fillsAFilterThatKnowsItsUsersAndProvesTheAbsenceOfOthers() {
        String[] crowd = IntStream.range(0, 377).mapToObj(n -> "user" + n).toArray(String[]::new);
        assertThat(hot.fillFilter("id", Step.BEGIN)).isEqualTo(READ);
        assertThat(hot.redis.strlen(filter())).isEqualTo(SMALLEST);
        assertThat(hot.fillFilter("id", Step.ADD, crowd)).isEqualTo(READ);
        assertThat(hot.fillFilter("id", Step.LAST, ANN)).isEqualTo(COMPLETE);

        assertThat(crowd).allMatch(this::isLookedUp);
        assertThat(isLookedUp(ANN)).isTrue();
        assertThat(hot.hit(BEN).own()).isEmpty();
        assertThat(
                        IntStream.range(0, 1000)
                                .mapToObj(n -> "stranger" + n)
                                .filter(this::isLookedUp)
                                .count())
                .as("false positives in a thousand")
                .isLessThan(10);
        assertThat(hot.clean(filter())).isTrue();
    }

    @Test
    void waitsForChangesThatWereProposedBefore() {
        hot.lookUp(ANN);
        hot.add(ANN, LIKE).op("op").accepted();
        assertThat(hot.fillFilter("id", Step.BEGIN)).isEqualTo(WAIT);
        assertThat(hot.dirty(filter())).isTrue();
        assertThat(hot.fillFilter("id", Step.BEGIN)).isEqualTo(WAIT);
        assertThat(hot.fillFilter("id", Step.ADD, BEN)).isEqualTo(LOST);
        assertThat(hot.fillFilter("id", Step.LAST)).isEqualTo(LOST);
        assertThat(isLookedUp(CAT)).isTrue();

        hot.ack(1, committed("op", 1));
        assertThat(hot.fillFilter("id", Step.BEGIN)).isEqualTo(READ);
        assertThat(hot.clean(filter())).isTrue();
    }

    @Test
    void doesNotWaitForLaterChanges() {
        hot.fillFilter("id", Step.BEGIN);
        hot.lookUp(ANN);
        hot.add(ANN, LIKE).accepted();
        assertThat(hot.fillFilter("id", Step.BEGIN)).isEqualTo(READ);
        assertThat(hot.fillFilter("id", Step.LAST)).isEqualTo(COMPLETE);
    }

    @Test
    void isLostWhenTheEntityWasLoadedAgain() {
        hot.fillFilter("id", Step.BEGIN);
        reload(partial(List.of(), Map.of()));
        assertThat(hot.fillFilter("id", Step.LAST, ANN)).isEqualTo(LOST);
        assertThat(hot.redis.exists(filter())).isZero();
        assertThat(isLookedUp(BEN)).isTrue();
    }

    @Test
    void isLostWhenEitherKeyWasEvicted() {
        for (String key : List.of(filter(), users())) {
            reload(partial(List.of(), Map.of()));
            hot.fillFilter("id", Step.BEGIN);
            hot.redis.del(key);
            assertThat(hot.fillFilter("id", Step.LAST, ANN)).isEqualTo(LOST);
        }
    }

    @Test
    void aCallerLeavesTheFilterOfAnotherAloneUntilItIsAbandoned() {
        long patience = PATIENCE.toMillis();
        assertThat(hot.fillFilter(hot.fence, "one", 5000, Step.BEGIN)).isEqualTo(READ);
        assertThat(hot.fillFilter(hot.fence, "two", 5000, Step.BEGIN)).isEqualTo(BUSY);
        assertThat(hot.fillFilter(hot.fence, "one", 5050, Step.ADD, ANN)).isEqualTo(READ);
        assertThat(hot.fillFilter(hot.fence, "two", 5049 + patience, Step.BEGIN)).isEqualTo(BUSY);
        assertThat(hot.fillFilter(hot.fence, "two", 5050 + patience, Step.BEGIN)).isEqualTo(READ);

        assertThat(hot.fillFilter("one", Step.ADD, ANN)).isEqualTo(LOST);
        assertThat(hot.fillFilter("one", Step.LAST, ANN)).isEqualTo(LOST);
        assertThat(isLookedUp(BEN)).isTrue();
        assertThat(hot.fillFilter("two", Step.LAST, BEN)).isEqualTo(COMPLETE);
        assertThat(isLookedUp(BEN)).isTrue();
        assertThat(hot.hit(ANN).own()).as("the second filter began empty").isEmpty();
    }

    @Test
    void aCompleteFilterStays() {
        hot.completeFilter(ANN);
        assertThat(hot.fillFilter("another", Step.BEGIN)).isEqualTo(COMPLETE);
        assertThat(hot.fillFilter("filled", Step.BEGIN)).isEqualTo(COMPLETE);
        assertThat(hot.fillFilter("filled", Step.LAST)).isEqualTo(LOST);
        assertThat(isLookedUp(ANN)).isTrue();
    }

    @Test
    void doublesUpToItsBoundAndBeginsNoneBeyondIt() {
        hot.completeFilter(ANN);
        assertThat(bytesFor(32_768, "a")).isEqualTo(SMALLEST);
        reload(partial(List.of(), Map.of()));
        hot.completeFilter(ANN);
        hot.redis.hset(counts(), "r:" + LIKE, "32769\u001f1\u001f2");
        assertThat(hot.fillFilter("larger", Step.BEGIN)).isEqualTo(READ);
        assertThat(hot.redis.strlen(filter())).isEqualTo(HEADER + 8 * 16_384);
        assertThat(isLookedUp(BEN)).as("it is filled anew").isTrue();

        assertThat(bytesFor(1_048_576, "b")).isEqualTo(HEADER + (2 << 20));
        assertThat(bytesFor(4_194_304, "c")).isEqualTo(HEADER + (2 << 20));
        reload(partial(List.of(new Counter(LIKE, 4_194_305, 1, 2)), Map.of()));
        assertThat(hot.fillFilter("d", Step.BEGIN)).isEqualTo(LARGE);
        assertThat(hot.redis.exists(filter())).isZero();
    }

    private long bytesFor(long reactions, String id) {
        reload(partial(List.of(new Counter(LIKE, reactions, 1, 2)), Map.of()));
        hot.fillFilter(id, Step.BEGIN);
        return hot.redis.strlen(filter());
    }

    @Test
    void fillsNothingForACompleteOrAMissingEntity() {
        reload(HotFixture.untouched());
        assertThat(hot.fillFilter("id", Step.BEGIN)).isEqualTo(ABSENT);
        hot.redis.del(users());
        assertThat(hot.fillFilter("id", Step.BEGIN)).isEqualTo(ABSENT);
        reload(partial(List.of(), Map.of()));
        hot.redis.del(counts());
        assertThat(hot.fillFilter("id", Step.BEGIN)).isEqualTo(ABSENT);
        assertThat(hot.redis.exists(filter())).isZero();
    }

    @Test
    void isFencedInAnotherEpochOnAnotherServerAndOnAReplica() {
        hot.fillFilter("id", Step.BEGIN);
        for (Step step : Step.values()) {
            var epoch = new Fence(2, hot.incarnation());
            assertThat(hot.fillFilter(epoch, "id", 1000, step)).isEqualTo(FENCED);
            assertThat(hot.fillFilter(new Fence(1, "another"), "id", 1000, step)).isEqualTo(FENCED);
        }
        hot.demote();
        assertThat(hot.fillFilter("id", Step.LAST)).isEqualTo(FENCED);
    }

    @Test
    void doesNotFillAFilterOfAnOlderEpoch() {
        hot.fillFilter("id", Step.BEGIN);
        Fence next = hot.reopen();
        assertThat(hot.fillFilter(next, "id", 1000, Step.LAST)).isEqualTo(LOST);
        assertThat(hot.fillFilter(next, "id", 1000, Step.BEGIN)).isEqualTo(ABSENT);
    }

    @Test
    void aRefusalAtMaxmemoryChangesNothing() {
        var before = hot.everything();
        hot.fill();
        assertThatThrownBy(() -> hot.fillFilter("id", Step.BEGIN)).hasMessageContaining("OOM");
        assertThat(hot.everything()).isEqualTo(before);
        hot.endMemory();
        hot.fillFilter("id", Step.BEGIN);
        var begun = hot.everything();
        hot.fill();
        assertThatThrownBy(() -> hot.fillFilter("id", Step.LAST, ANN)).hasMessageContaining("OOM");
        assertThat(hot.everything()).isEqualTo(begun);
    }
}
