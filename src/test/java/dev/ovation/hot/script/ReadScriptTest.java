package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.DISLIKE;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.POST;
import static dev.ovation.hot.script.HotFixture.SETTINGS;
import static dev.ovation.hot.script.HotFixture.complete;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.lease;
import static dev.ovation.hot.script.HotFixture.partial;
import static dev.ovation.hot.script.HotFixture.rejected;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.ReadScript.Reply.Failed;
import dev.ovation.hot.script.ReadScript.Reply.Fenced;
import dev.ovation.hot.script.ReadScript.Reply.Hit;
import dev.ovation.hot.script.ReadScript.Reply.KnownState;
import dev.ovation.hot.script.ReadScript.Reply.Miss;
import dev.ovation.hot.script.ReadScript.Reply.UserMiss;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.store.snapshot.EntitySnapshot;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class ReadScriptTest {

    private static final Counter LIKES = new Counter(LIKE, 3_000_000_000L, 100, 9_007_199_254_740L);
    private static final Counter DISLIKES = new Counter(DISLIKE, 1, 200, 200);

    private final HotFixture hot = new HotFixture();

    @Test
    void answersCountersAndTheViewersReactionsOldestFirst() {
        hot.load(complete(List.of(LIKES, DISLIKES), Map.of(ANN, List.of(LIKE, DISLIKE, HEART))));

        Hit hit = hot.hit(ANN);

        assertThat(hit.version()).isEqualTo(10);
        assertThat(hit.counters()).containsExactlyInAnyOrder(LIKES, DISLIKES);
        assertThat(hit.own()).containsExactly(LIKE, DISLIKE, HEART);
    }

    @Test
    void anUntouchedEntityIsAnsweredAsEmpty() {
        hot.load(untouched());

        assertThat(hot.read(ANN, "token")).isEqualTo(new Hit(0, "", 0, List.of(), List.of()));
    }

    @Test
    void aUserMissingInACompleteUserHashHasNoReactions() {
        hot.load(complete(List.of(LIKES), Map.of(ANN, List.of(LIKE))));

        assertThat(hot.hit(BEN).own()).isEmpty();
    }

    @Test
    void countsAloneNeedOnlyTheCountHash() {
        hot.load(complete(List.of(LIKES), Map.of(ANN, List.of(LIKE))));
        hot.redis.del(users());

        assertThat(hot.read(null, "token"))
                .isEqualTo(new Hit(10, "before", 1, List.of(LIKES), List.of()));
        assertThat(hot.read(ANN, "token")).isEqualTo(new Miss("token"));
    }

    @Test
    void aMissingCountHashIsAMiss() {
        hot.load(untouched());
        hot.redis.del(counts());

        assertThat(hot.read(null, "token")).isEqualTo(new Miss("token"));
    }

    @Test
    void theFirstToMissHoldsTheLeaseForItsTime() {
        assertThat(hot.read(ANN, "first")).isEqualTo(new Miss("first"));
        assertThat(hot.read(ANN, "second")).isEqualTo(new Miss("first"));

        assertThat(hot.redis.pttl(lease())).isBetween(1L, SETTINGS.lease().toMillis());
    }

    @Test
    void onlyACallerThatNamesTheHolderTakesTheLease() {
        hot.read(ANN, "first");

        assertThat(hot.read(hot.fence, ANN, "third", "second")).isEqualTo(new Miss("first"));
        assertThat(hot.read(hot.fence, ANN, "second", "first")).isEqualTo(new Miss("second"));
        assertThat(hot.read(hot.fence, ANN, "third", "first")).isEqualTo(new Miss("second"));
    }

    @Test
    void aCountHashOfAnotherEpochIsAMiss() {
        hot.load(complete(List.of(LIKES), Map.of(ANN, List.of(LIKE))));
        Fence next = hot.reopen();

        assertThat(hot.read(next, null, "token", "")).isEqualTo(new Miss("token"));
    }

    @Test
    void aUserHashOfAnotherEpochIsAMiss() {
        hot.load(untouched());
        hot.redis.hset(users(), "epoch", "0");

        assertThat(hot.read(ANN, "token")).isEqualTo(new Miss("token"));
    }

    @Test
    void isFencedInAnotherEpochAndWhereNoneIsOpen() {
        hot.load(untouched());
        assertThat(hot.read(new Fence(2, hot.incarnation()), ANN, "token", ""))
                .isEqualTo(new Fenced());

        hot.redis.flushall();
        assertThat(hot.read(ANN, "token")).isEqualTo(new Fenced());
        assertThat(hot.redis.exists(lease())).isZero();
    }

    @Test
    void aUserThatWasNotLookedUpIsAMissWithItsOwnLease() {
        hot.load(partial(List.of(LIKES), Map.of()));

        assertThat(hot.read(ANN, "first")).isEqualTo(new UserMiss("first"));
        assertThat(hot.read(ANN, "second")).isEqualTo(new UserMiss("first"));
        assertThat(hot.read(BEN, "second")).isEqualTo(new UserMiss("second"));
        assertThat(hot.hit(null).counters()).containsExactly(LIKES);
    }

    @Test
    void onlyACallerThatNamesTheHolderTakesAUserLease() {
        hot.load(partial(List.of(LIKES), Map.of()));
        hot.read(ANN, "first");

        assertThat(hot.read(hot.fence, ANN, "third", "second")).isEqualTo(new UserMiss("first"));
        assertThat(hot.read(hot.fence, ANN, "second", "first")).isEqualTo(new UserMiss("second"));
    }

    @Test
    void lookedUpUsersAreKnownEvenWithoutReactions() {
        hot.load(partial(List.of(LIKES), Map.of(ANN, List.of(LIKE))));
        hot.lookUp(BEN);

        assertThat(hot.hit(ANN).own()).containsExactly(LIKE);
        assertThat(hot.hit(BEN).own()).isEmpty();
    }

    @Test
    void leavesTheTtlAsItIs() {
        hot.load(partial(List.of(LIKES), Map.of()));
        hot.read(ANN, "token");
        assertThat(hot.clean(counts())).isTrue();
        assertThat(hot.clean(users())).isTrue();

        hot.lookUp(BEN, LIKE);
        hot.remove(BEN, LIKE).accepted();
        hot.read(ANN, "token");
        assertThat(hot.dirty(counts())).isTrue();
        assertThat(hot.dirty(users())).isTrue();
    }

    @Test
    void aMissAtMaxmemoryHasNoLeaseHolder() {
        hot.fill();

        assertThat(hot.read(ANN, "token")).isEqualTo(new Miss(""));
    }

    @Test
    void aUserMissAtMaxmemoryHasNoLeaseHolder() {
        hot.load(partial(List.of(LIKES), Map.of()));
        hot.fill();

        assertThat(hot.read(ANN, "token")).isEqualTo(new UserMiss(""));
        assertThat(hot.hit(null).counters()).containsExactly(LIKES);
    }

    @Test
    void isFencedOnAnotherServerAndOnAReplica() {
        hot.load(untouched());

        assertThat(hot.read(new Fence(1, "another"), ANN, "token", "")).isEqualTo(new Fenced());
        hot.demote();
        assertThat(hot.read(ANN, "token")).isEqualTo(new Fenced());
    }

    @Test
    void manyAreReadInOneRunEachForItself() {
        hot.load(complete(List.of(LIKES), Map.of(ANN, List.of(LIKE))));
        var cold = new EntityKey("posts", "cold");
        var elsewhere = new Fence(1, "another");

        assertThat(
                        hot.read(
                                item(hot.fence, P, POST, ANN, ""),
                                item(elsewhere, P, POST, ANN, ""),
                                item(hot.fence, P, cold, ANN, ""),
                                item(hot.fence, P + 1, POST, ANN, ""),
                                item(hot.fence, P, POST, BEN, "")))
                .containsExactly(
                        new Hit(10, "before", 1, List.of(LIKES), List.of(LIKE)),
                        new Fenced(),
                        new Miss("token"),
                        new Fenced(),
                        new Hit(10, "before", 1, List.of(LIKES), List.of()));
    }

    @Test
    void anErrorOfOneReadAffectsNoOther() {
        hot.load(complete(List.of(LIKES), Map.of(ANN, List.of(LIKE))));
        var broken = new EntityKey("posts", "broken");
        hot.redis.set(RedisSchema.counts(P, broken), "not a hash");

        var replies =
                hot.read(item(hot.fence, P, broken, ANN, ""), item(hot.fence, P, POST, ANN, ""));

        assertThat(replies.get(0)).isInstanceOf(Failed.class);
        assertThat(replies.get(1)).isInstanceOf(Hit.class);
    }

    @Nested
    class OfAKnownState {

        @Test
        void onlyTheViewersReactionsAreAnswered() {
            hot.load(complete(List.of(LIKES), Map.of(ANN, List.of(LIKE))));

            assertThat(known(ANN, "before")).isEqualTo(new KnownState(List.of(LIKE)));
            assertThat(known(BEN, "before")).isEqualTo(new KnownState(List.of()));
            assertThat(known(null, "before")).isEqualTo(new KnownState(List.of()));
        }

        @Test
        void eachChangeIsSeenAtOnce() {
            hot.load(complete(List.of(LIKES), Map.of()));
            hot.add(ANN, DISLIKE).accepted();

            assertThat(known(BEN, "before")).isInstanceOf(Hit.class);
            assertThat(known(ANN, "op1")).isEqualTo(new KnownState(List.of(DISLIKE)));
        }

        /** After a rejection another change makes another state with the same version. */
        @Test
        void theSameVersionIsNotEnough() {
            hot.load(complete(List.of(LIKES), Map.of()));
            hot.add(ANN, DISLIKE).accepted();
            hot.ack(1, rejected(1));
            hot.load(complete(List.of(LIKES), Map.of()));
            hot.add(BEN, HEART).accepted();

            assertThat(known(BEN, "op1")).isInstanceOf(Hit.class);
            assertThat(hot.hit(BEN).version()).isEqualTo(11);
        }

        @Test
        void aMissIsAMiss() {
            hot.load(partial(List.of(LIKES), Map.of()));
            assertThat(known(ANN, "before")).isEqualTo(new UserMiss("token"));

            hot.redis.del(counts());
            assertThat(known(ANN, "before")).isEqualTo(new Miss("token"));
        }

        @Test
        void anUntouchedEntityHasNoStateToKnow() {
            hot.load(untouched());

            assertThat(known(ANN, "")).isEqualTo(new Hit(0, "", 0, List.of(), List.of()));
        }

        private ReadScript.Reply known(@Nullable String viewer, String op) {
            return hot.read(item(hot.fence, P, POST, viewer, op)).getFirst();
        }
    }

    private static ReadScript.ReadItem item(
            Fence fence, int p, EntityKey key, @Nullable String viewer, String known) {
        return new ReadScript.ReadItem(p, fence, key, viewer, "token", "", known);
    }

    @Test
    void oddReactionsComeBackAsTheyWere() {
        var odd =
                List.of(
                        ":", "{", "}", "|", "\\", "/", "%", "%d", "..", ";", "🏳️‍🌈", "r:",
                        "epoch");
        List<Counter> counters =
                odd.stream().map(reaction -> new Counter(reaction, 1, 5, 6)).toList();
        hot.load(new EntitySnapshot(1, 13, "op", 6, 1, counters, true, Map.of("complete", odd)));

        assertThat(hot.hit("complete").counters()).containsExactlyInAnyOrderElementsOf(counters);
        assertThat(hot.hit("complete").own()).isEqualTo(odd);
        assertThat(hot.hit("epoch").own()).isEmpty();
    }
}
