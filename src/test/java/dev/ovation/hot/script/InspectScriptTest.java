package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.POST;
import static dev.ovation.hot.script.HotFixture.SETTINGS;
import static dev.ovation.hot.script.HotFixture.committed;
import static dev.ovation.hot.script.HotFixture.complete;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.hot.script.InspectScript.Reply.Fenced;
import dev.ovation.hot.script.InspectScript.Reply.InspectedState;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

class InspectScriptTest {

    /** Reply of Redis for the time to live of a missing key. */
    private static final long NO_KEY = -2;

    private final InspectScript script = new InspectScript();
    private final HotFixture hot = new HotFixture();

    @Test
    void isFencedInAnotherEpochAndOnAnotherServer() {
        hot.load(untouched());
        long epoch = hot.fence.epoch();

        assertThat(inspect(new Fence(epoch + 1, hot.incarnation()))).isEqualTo(new Fenced());
        assertThat(inspect(new Fence(epoch, "another"))).isEqualTo(new Fenced());
        hot.reopen();
        assertThat(inspect(hot.fence)).isEqualTo(new Fenced());
    }

    @Test
    void isFencedOnAReplicaAndWhereNoEpochIsOpen() {
        hot.demote();
        assertThat(inspect(hot.fence)).isEqualTo(new Fenced());

        hot.redis.replicaofNoOne();
        hot.redis.del(RedisSchema.meta(P));
        assertThat(inspect(hot.fence)).isEqualTo(new Fenced());
    }

    @Test
    void findsNothingOfAnEntityThatIsNotLoaded() {
        assertThat(seen()).isEqualTo(new InspectedState(0, "", NO_KEY, NO_KEY, Map.of(), Map.of()));
    }

    @Test
    void copiesBothHashesAsTheyAre() {
        hot.load(
                complete(
                        List.of(new Counter(LIKE, 2, 100, 200), new Counter(HEART, 1, 150, 150)),
                        Map.of(ANN, List.of(LIKE, HEART), BEN, List.of(LIKE))));

        assertThat(seen().counts())
                .isEqualTo(hot.redis.hgetall(counts()))
                .containsEntry("version", "10")
                .containsEntry("op", "before")
                .containsEntry("r:" + LIKE, RedisSchema.join(List.of("2", "100", "200")));
        assertThat(seen().users()).isEqualTo(hot.redis.hgetall(users())).containsKey("u:" + ANN);
    }

    @Test
    void ofACleanEntityFindsTimesToLiveAndNoEvent() {
        hot.load(untouched());

        assertThat(seen().waiting()).isEmpty();
        assertThat(seen().countsTtl()).isBetween(1L, SETTINGS.ttl().toMillis());
        assertThat(seen().usersTtl()).isBetween(1L, SETTINGS.ttl().toMillis());
    }

    @Test
    void ofADirtyEntityFindsNoTimeToLive() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();

        assertThat(seen().countsTtl()).isEqualTo(InspectScript.NO_TTL);
        assertThat(seen().usersTtl()).isEqualTo(InspectScript.NO_TTL);
    }

    @Test
    void theTtlsOfBothHashesAreReadSeparately() {
        hot.load(untouched());
        hot.redis.persist(users());

        assertThat(seen().countsTtl()).isPositive();
        assertThat(seen().usersTtl()).isEqualTo(InspectScript.NO_TTL);
    }

    @Test
    void namesTheEventThatMadeTheStateAndNoOther() {
        hot.load(untouched());
        hot.add(ANN, LIKE).op("first").accepted();
        hot.add(BEN, LIKE).op("second").accepted();
        assertThat(seen().waiting()).isEqualTo("second");

        hot.redis.hset(counts(), "seq", "1");
        assertThat(seen().waiting()).isEqualTo("first");
    }

    @Test
    void findsThatTheEventIsMissing() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.redis.del(RedisSchema.outbox(P));

        assertThat(seen().waiting()).isEmpty();
        assertThat(seen().counts()).containsEntry("op", "op1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+", "1-1", "99999999999999999999999999"})
    void aSeqThatIsNoNumberOrTooLongHasNoEvent(String seq) {
        hot.load(untouched());
        hot.redis.hset(counts(), "seq", seq);

        assertThat(seen().waiting()).isEmpty();
        assertThat(seen().counts()).containsEntry("seq", seq);
    }

    @Test
    void theLastAcknowledgedSeqIsReturned() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.add(BEN, LIKE).accepted();
        assertThat(seen().acked()).isZero();

        hot.ack(1, committed("op1", 1));
        assertThat(seen().acked()).isEqualTo(1);
    }

    @Test
    void changesNothing() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        var before = hot.everything();

        seen();

        assertThat(hot.everything()).isEqualTo(before);
    }

    private InspectScript.Reply inspect(Fence fence) {
        return script.execute(hot.async, P, fence, POST).join();
    }

    private InspectedState seen() {
        return (InspectedState) inspect(hot.fence);
    }
}
