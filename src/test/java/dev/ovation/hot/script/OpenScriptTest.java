package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.OpenScript.Reply.FENCED;
import static dev.ovation.hot.script.OpenScript.Reply.OPENED;
import static dev.ovation.hot.script.OpenScript.Reply.REFUSED;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import org.junit.jupiter.api.Test;

import java.util.Map;

class OpenScriptTest {

    private final HotFixture hot = new HotFixture();

    @Test
    void startsAnEpochAtSeqZeroWithoutTtl() {
        hot.redis.flushall();

        assertThat(hot.open(new Fence(5, hot.incarnation()), 4)).isEqualTo(OPENED);

        assertThat(hot.redis.hgetall(RedisSchema.meta(P)))
                .isEqualTo(
                        Map.of(
                                "epoch", "5",
                                "incarnation", hot.incarnation(),
                                "seq", "0",
                                "acked", "0",
                                "config", "4"));
        assertThat(hot.dirty(RedisSchema.meta(P))).isTrue();
    }

    @Test
    void anEpochIsOpenedAtMostOnce() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        var before = hot.everything();

        assertThat(hot.open(hot.fence)).isEqualTo(REFUSED);
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void anOlderEpochIsRefused() {
        Fence newer = hot.reopen();

        assertThat(hot.open(hot.fence)).isEqualTo(REFUSED);
        assertThat(hot.meta("epoch")).isEqualTo(Long.toString(newer.epoch()));
    }

    @Test
    void epochsAreComparedAsNumbers() {
        hot.open(new Fence(9, hot.incarnation()));

        assertThat(hot.open(new Fence(10, hot.incarnation()))).isEqualTo(OPENED);
    }

    @Test
    void aNewerEpochForgetsTheOutboxAndTheWatermarks() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.ack(1);
        hot.reopen();

        assertThat(hot.outbox()).isEmpty();
        assertThat(hot.meta("seq")).isEqualTo("0");
        assertThat(hot.meta("acked")).isEqualTo("0");
    }

    @Test
    void eventsOfANewEpochCountFromOneAgain() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        Fence next = hot.reopen();
        hot.load(next, untouched());
        hot.add(ANN, LIKE).reply(next);

        assertThat(hot.outboxIds()).containsExactly("2-1");
    }

    @Test
    void theNewestConfigurationOfPostgresIsStoredAlsoWhenPostgresLostLaterOnes() {
        hot.open(new Fence(2, hot.incarnation()), 7);
        assertThat(hot.meta("config")).isEqualTo("7");

        hot.open(new Fence(3, hot.incarnation()), 6);
        assertThat(hot.meta("config")).isEqualTo("6");
    }

    @Test
    void anEpochTakenForAnotherServerIsFenced() {
        var before = hot.everything();

        assertThat(hot.open(new Fence(2, "0123456789"))).isEqualTo(FENCED);
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void aReplicaIsFencedAndAPromotedOneIsAnotherServer() {
        hot.demote();
        assertThat(hot.open(new Fence(2, hot.fence.incarnation()))).isEqualTo(FENCED);
        assertThat(hot.open(new Fence(2, hot.incarnation()))).isEqualTo(FENCED);

        hot.redis.replicaofNoOne();
        assertThat(hot.open(new Fence(2, hot.fence.incarnation()))).isEqualTo(FENCED);
        assertThat(hot.open(new Fence(2, hot.incarnation()))).isEqualTo(OPENED);
    }

    @Test
    void opensAtMaxmemoryToo() {
        hot.fill();

        assertThat(hot.open(new Fence(2, hot.incarnation()), 4)).isEqualTo(OPENED);
        assertThat(hot.meta("epoch")).isEqualTo("2");
        assertThat(hot.meta("config")).isEqualTo("4");
    }
}
