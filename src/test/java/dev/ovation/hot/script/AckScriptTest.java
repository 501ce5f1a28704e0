package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.POST;
import static dev.ovation.hot.script.HotFixture.SETTINGS;
import static dev.ovation.hot.script.HotFixture.committed;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.lease;
import static dev.ovation.hot.script.HotFixture.rejected;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.AckScript.AckItem;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.script.AckScript.Reply.AckFailure;
import dev.ovation.hot.script.AckScript.Reply.Acknowledged;
import dev.ovation.hot.script.AckScript.Reply.Fenced;
import dev.ovation.hot.script.ReadScript.Reply.Miss;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.XAddArgs;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

class AckScriptTest {

    private static final int OTHER = P + 1;

    private final HotFixture hot = new HotFixture();

    @Test
    void aCommittedEntityIsClean() {
        loadAndReact("op1");

        assertThat(hot.ack(1, committed("op1", 1))).isTrue();

        assertThat(hot.redis.pttl(counts())).isBetween(1L, SETTINGS.ttl().toMillis());
        assertThat(hot.redis.pttl(users())).isBetween(1L, SETTINGS.ttl().toMillis());
        assertThat(hot.hit(ANN).own()).containsExactly(LIKE);
    }

    @Test
    void eventsAfterSomeThatAreNotAcknowledgedStay() {
        loadAndReact("op1");
        hot.add(BEN, LIKE).accepted();

        assertThat(
                        hot.ack(new AckItem(P, hot.fence, 1, 2, List.of(committed("op2", 2))))
                                .getFirst())
                .isEqualTo(new Acknowledged());
        assertThat(hot.clean(counts())).isTrue();
        assertThat(hot.outboxIds()).containsExactly("1-1", "1-2");
        assertThat(hot.meta("acked")).isEqualTo("0");

        hot.ack(new AckItem(P, hot.fence, 0, 2, List.of(committed("op2", 2))));
        assertThat(hot.outboxIds()).containsExactly("1-2");
        assertThat(hot.meta("acked")).isEqualTo("2");
    }

    @Test
    void aCommittedNoOpIsCleanToo() {
        hot.load(untouched());
        hot.remove(ANN, LIKE).op("no-op").keyed("key", "request").accepted();
        hot.ack(1, committed("no-op", 1));

        assertThat(hot.clean(counts())).isTrue();
        assertThat(hot.clean(users())).isTrue();
    }

    @Test
    void anEntityThatIsAheadStaysDirty() {
        loadAndReact("op1");
        hot.add(BEN, LIKE).accepted();
        hot.ack(1, committed("op1", 1));

        assertThat(hot.dirty(counts())).isTrue();
        assertThat(hot.dirty(users())).isTrue();
        assertThat(hot.hit(BEN).counters().getFirst().count()).isEqualTo(2);
    }

    @Test
    void anEntityOfAnotherPastIsRemovedWithItsLease() {
        loadAndReact("op1");
        takeLease();
        hot.ack(2, committed("import", 2));

        assertThat(hot.redis.exists(counts(), users(), lease())).isZero();
    }

    @Test
    void anAbsentEntityLosesTheLeaseBecauseItsLoaderMayHaveReadTheStateBefore() {
        hot.read(ANN, "loader");
        hot.ack(1, committed("import", 1));

        assertThat(hot.install(hot.fence, untouched(), "loader"))
                .isEqualTo(InstallScript.Reply.LOST);
        assertThat(hot.read(ANN, "next")).isEqualTo(new Miss("next"));
    }

    @Test
    void aCommitVoidsTheLeaseForAMissingUserHash() {
        loadAndReact("op1");
        hot.redis.del(users());
        assertThat(hot.read(ANN, "loader")).isEqualTo(new Miss("loader"));
        hot.ack(1, committed("op1", 1));

        assertThat(hot.install(hot.fence, untouched(), "loader"))
                .isEqualTo(InstallScript.Reply.LOST);
    }

    @Test
    void hotStateOfAnOlderEpochIsRemoved() {
        loadAndReact("op1");
        Fence next = hot.reopen();
        hot.ack(next, 0, committed("op1", 1));

        assertThat(hot.redis.exists(counts(), users())).isZero();
    }

    @Test
    void aRejectedEventRemovesTheStateThatIncludesIt() {
        loadAndReact("op1");
        hot.add(BEN, LIKE).accepted();
        takeLease();
        hot.ack(1, rejected(1));

        assertThat(hot.redis.exists(counts(), users(), lease())).isZero();
    }

    @Test
    void aRejectedEventLeavesTheStateThatWasLoadedAfterIt() {
        loadAndReact("op1");
        hot.add(BEN, LIKE).accepted();
        hot.ack(1, rejected(1));
        hot.load(untouched());
        hot.add(BEN, LIKE).accepted();
        hot.ack(2, rejected(2));

        assertThat(hot.hit(BEN).own()).containsExactly(LIKE);
        assertThat(hot.dirty(counts())).isTrue();
    }

    @Test
    void aCommitAfterTheRejectionInTheSameBatchIsClean() {
        loadAndReact("op1");
        hot.redis.del(counts(), users());
        hot.load(untouched());
        hot.add(BEN, LIKE).op("op2").accepted();
        hot.ack(2, new Fate(POST, "op2", 2, 1));

        assertThat(hot.clean(counts())).isTrue();
        assertThat(hot.hit(BEN).own()).containsExactly(LIKE);
    }

    @Test
    void aRejectionAfterTheCommitInTheSameBatchRemoves() {
        loadAndReact("op1");
        hot.add(BEN, LIKE).accepted();
        hot.ack(2, new Fate(POST, "op1", 1, 2));

        assertThat(hot.redis.exists(counts(), users())).isZero();
    }

    @Test
    void theOutboxKeepsTheLastAppliedEventAsAnchor() {
        loadAndReact("op1");
        hot.add(BEN, LIKE).op("op2").accepted();
        hot.remove(BEN, LIKE).op("op3").accepted();
        hot.ack(2, committed("op2", 2));

        assertThat(hot.outboxIds()).containsExactly("1-2", "1-3");
        assertThat(hot.meta("acked")).isEqualTo("2");
    }

    @Test
    void theNextEventFollowsTheAnchor() {
        loadAndReact("op1");
        hot.ack(1, committed("op1", 1));
        hot.add(BEN, LIKE).accepted();

        assertThat(hot.outboxIds()).containsExactly("1-1", "1-2");
    }

    @Test
    void aLateAckTakesNothingBack() {
        loadAndReact("op1");
        hot.add(BEN, LIKE).op("op2").accepted();
        hot.ack(2, committed("op2", 2));
        hot.remove(BEN, LIKE).op("op3").accepted();
        var before = hot.everything();

        assertThat(hot.ack(1, committed("op1", 1))).isTrue();
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void seqsAreComparedAsNumbers() {
        hot.load(untouched());
        for (int i = 1; i <= 9; i++) {
            (i % 2 == 1 ? hot.add(ANN, LIKE) : hot.remove(ANN, LIKE)).accepted();
        }
        hot.ack(9);
        hot.remove(ANN, LIKE).op("op10").accepted();
        hot.ack(10, committed("op10", 10));
        hot.ack(9, committed("op9", 9));

        assertThat(hot.meta("acked")).isEqualTo("10");
        assertThat(hot.clean(counts())).isTrue();
    }

    @Test
    void isFencedInAnotherEpochAndOnAnotherServer() {
        loadAndReact("op1");
        var before = hot.everything();

        assertThat(hot.ack(new Fence(2, hot.incarnation()), 1, committed("op1", 1))).isFalse();
        assertThat(hot.ack(new Fence(1, "another"), 1, committed("op1", 1))).isFalse();
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void isFencedOnAReplicaAndAfterAPromotion() {
        loadAndReact("op1");
        hot.demote();
        assertThat(hot.ack(1, committed("op1", 1))).isFalse();

        hot.redis.replicaofNoOne();
        assertThat(hot.ack(1, committed("op1", 1))).isFalse();
        assertThat(hot.dirty(counts())).isTrue();
    }

    @Test
    void passesAtMaxmemoryAndMakesRoom() {
        loadAndReact("op1");
        hot.add(BEN, LIKE).op("op2").accepted();
        hot.fill();

        assertThat(hot.ack(2, committed("op2", 2))).isTrue();
        assertThat(hot.outboxIds()).containsExactly("1-2");
        assertThat(hot.clean(counts())).isTrue();
        assertThat(hot.clean(users())).isTrue();
    }

    @Test
    void memoryPressureTakesCleanEntitiesAndNothingElse() {
        loadAndReact("op1");
        hot.squeeze();
        hot.redis.get("nothing");
        assertThat(hot.redis.exists(counts(), users())).isEqualTo(2);

        hot.ack(1, committed("op1", 1));
        hot.redis.get("nothing");
        assertThat(hot.redis.exists(counts(), users())).isZero();
        assertThat(hot.redis.exists(RedisSchema.meta(P), RedisSchema.outbox(P))).isEqualTo(2);
    }

    @Test
    void takesManyEntitiesAtOnce() {
        Fate[] fates =
                IntStream.range(0, 3777)
                        .mapToObj(i -> new Fate(new EntityKey("posts", "other" + i), "x", 1, 0))
                        .toArray(Fate[]::new);
        loadAndReact("op1");
        fates[3000] = committed("op1", 1);

        assertThat(hot.ack(1, fates)).isTrue();
        assertThat(hot.clean(counts())).isTrue();
    }

    @Test
    void oneRunAcknowledgesManyPartitions() {
        loadAndReact("op1");
        hot.add(BEN, LIKE).op("op2").accepted();
        openOther();
        var ours = new AckItem(P, hot.fence, 0, 1, List.of(committed("op1", 1)));
        var theirs = new AckItem(OTHER, hot.fence, 0, 2, List.of(new Fate(POST, "op2", 2, 0)));

        assertThat(hot.ack(theirs, ours)).containsExactly(new Acknowledged(), new Acknowledged());

        assertThat(hot.meta("acked")).isEqualTo("1");
        assertThat(hot.outboxIds()).containsExactly("1-1", "1-2");
        assertThat(hot.dirty(counts())).isTrue();
        assertThat(hot.redis.hget(RedisSchema.meta(OTHER), "acked")).isEqualTo("2");
        assertThat(hot.clean(RedisSchema.counts(OTHER, POST))).isTrue();
        assertThat(hot.clean(RedisSchema.users(OTHER, POST))).isTrue();
    }

    @Test
    void anErrorOfOnePartitionAffectsNoOther() {
        loadAndReact("op1");
        openOther();
        hot.redis.del(RedisSchema.outbox(OTHER));
        hot.redis.set(RedisSchema.outbox(OTHER), "no stream");
        var fenced = new AckItem(P, new Fence(2, hot.fence.incarnation()), 0, 1, List.of());
        var broken = new AckItem(OTHER, hot.fence, 0, 2, List.of(new Fate(POST, "op2", 2, 0)));
        var fine = new AckItem(P, hot.fence, 0, 1, List.of(committed("op1", 1)));

        assertThat(hot.ack(fenced, broken, fine))
                .satisfiesExactly(
                        one -> assertThat(one).isEqualTo(new Fenced()),
                        one -> assertThat(((AckFailure) one).error()).contains("WRONGTYPE"),
                        one -> assertThat(one).isEqualTo(new Acknowledged()));
        assertThat(hot.clean(counts())).isTrue();
        assertThat(hot.redis.hget(RedisSchema.meta(OTHER), "acked")).isEqualTo("0");
    }

    /** Another partition, in which the same entity is dirty by its event op2. */
    private void openOther() {
        hot.redis.hset(
                RedisSchema.meta(OTHER),
                Map.of(
                        "epoch", "1",
                        "incarnation", hot.fence.incarnation(),
                        "seq", "2",
                        "acked", "0"));
        hot.redis.hset(
                RedisSchema.counts(OTHER, POST), Map.of("epoch", "1", "op", "op2", "seq", "2"));
        hot.redis.hset(RedisSchema.users(OTHER, POST), "epoch", "1");
        hot.redis.xadd(RedisSchema.outbox(OTHER), new XAddArgs().id("1-2"), Map.of("op", "op2"));
    }

    private void loadAndReact(String op) {
        hot.load(untouched());
        hot.add(ANN, LIKE).op(op).accepted();
    }

    private void takeLease() {
        hot.redis.set(lease(), "loader");
    }
}
