package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.SETTINGS;
import static dev.ovation.hot.script.HotFixture.committed;
import static dev.ovation.hot.script.HotFixture.complete;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.lease;
import static dev.ovation.hot.script.HotFixture.partial;
import static dev.ovation.hot.script.HotFixture.people;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;
import static dev.ovation.hot.script.InstallScript.Reply.DIRTY;
import static dev.ovation.hot.script.InstallScript.Reply.FENCED;
import static dev.ovation.hot.script.InstallScript.Reply.INSTALLED;
import static dev.ovation.hot.script.InstallScript.Reply.LOST;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.entity.Counter;
import dev.ovation.hot.state.Fence;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class InstallScriptTest {

    private static final Counter LIKES = new Counter(LIKE, 2, 100, 200);

    private final HotFixture hot = new HotFixture();

    @Test
    void putsBothHashesThereCleanAndGivesTheLeaseBack() {
        hot.read(ANN, "token");

        assertThat(
                        hot.install(
                                hot.fence,
                                complete(List.of(LIKES), Map.of(ANN, List.of(LIKE))),
                                "token"))
                .isEqualTo(INSTALLED);

        assertThat(hot.redis.pttl(counts())).isBetween(1L, SETTINGS.ttl().toMillis());
        assertThat(hot.redis.pttl(users())).isBetween(1L, SETTINGS.ttl().toMillis());
        assertThat(hot.redis.exists(lease())).isZero();
    }

    @Test
    void anUntouchedEntityStaysForAShortTimeOnly() {
        hot.load(untouched());

        assertThat(hot.redis.pttl(counts())).isBetween(1L, SETTINGS.absentTtl().toMillis());
        assertThat(hot.redis.pttl(users())).isBetween(1L, SETTINGS.absentTtl().toMillis());
    }

    /** Its row in Postgres stays, so that its version only grows. */
    @Test
    void anEmptiedEntityIsNotAbsent() {
        hot.load(complete(List.of(), Map.of()));

        assertThat(hot.redis.pttl(counts())).isGreaterThan(SETTINGS.absentTtl().toMillis());
    }

    @Test
    void theFirstChangeGivesAnEntityItsFullTime() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        assertThat(hot.dirty(counts())).isTrue();

        hot.ack(1, committed("op1", 1));

        assertThat(hot.redis.pttl(counts())).isGreaterThan(SETTINGS.absentTtl().toMillis());
        assertThat(hot.redis.pttl(users())).isGreaterThan(SETTINGS.absentTtl().toMillis());
    }

    @Test
    void marksBothHashes() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.redis.del(counts(), users());
        hot.load(complete(List.of(LIKES), Map.of(ANN, List.of(LIKE))));

        assertThat(hot.redis.hgetall(counts()))
                .containsEntry("epoch", "1")
                .containsEntry("since", "1")
                .containsEntry("version", "10")
                .containsEntry("op", "before")
                .containsEntry("seq", "0")
                .containsEntry("at", "1000");
        assertThat(hot.redis.hgetall(users()))
                .containsEntry("epoch", "1")
                .containsEntry("since", "1")
                .containsEntry("complete", "1");
    }

    @Test
    void aSnapshotOfSomeUsersIsPartial() {
        hot.load(partial(List.of(LIKES), Map.of(ANN, List.of())));

        assertThat(hot.redis.hget(users(), "complete")).isEqualTo("0");
        assertThat(hot.userField(ANN)).startsWith("0");
        assertThat(hot.userField(BEN)).isNull();
    }

    @Test
    void withoutTheLeaseNothingIsInstalled() {
        assertThat(hot.install(hot.fence, untouched(), "token")).isEqualTo(LOST);

        hot.read(ANN, "another");
        assertThat(hot.install(hot.fence, untouched(), "token")).isEqualTo(LOST);
        assertThat(hot.redis.exists(counts(), users())).isZero();
    }

    @Test
    void aLeaseServesOnce() {
        hot.load(untouched());

        assertThat(hot.install(hot.fence, untouched(), "loader")).isEqualTo(LOST);
    }

    @Test
    void isFencedInAnotherEpochAndOnAnotherServer() {
        hot.read(ANN, "token");
        var before = hot.everything();

        assertThat(hot.install(new Fence(2, hot.incarnation()), untouched(), "token"))
                .isEqualTo(FENCED);
        assertThat(hot.install(new Fence(1, "another"), untouched(), "token")).isEqualTo(FENCED);
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void isFencedOnAReplicaAndAfterAPromotion() {
        hot.read(ANN, "token");
        hot.demote();
        assertThat(hot.install(hot.fence, untouched(), "token")).isEqualTo(FENCED);

        hot.redis.replicaofNoOne();
        assertThat(hot.install(hot.fence, untouched(), "token")).isEqualTo(FENCED);
    }

    @Test
    void aHalfThatIsLeftIsReplaced() {
        hot.load(complete(List.of(LIKES), Map.of(BEN, List.of(LIKE))));
        hot.redis.del(counts());
        hot.load(complete(List.of(), Map.of()));

        assertThat(hot.hit(BEN).own()).isEmpty();
        assertThat(hot.hit(BEN).counters()).isEmpty();
    }

    @Test
    void waitsForTheCommitOfAChangeInEitherHash() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.redis.del(users());
        hot.read(ANN, "token");
        assertThat(hot.install(hot.fence, untouched(), "token")).isEqualTo(DIRTY);

        hot.redis.del(counts(), lease());
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.redis.del(counts());
        hot.read(ANN, "token");
        assertThat(hot.install(hot.fence, untouched(), "token")).isEqualTo(DIRTY);
    }

    @Test
    void aHalfWithoutItsTtlIsReplacedWhileEveryEventIsAcknowledged() {
        hot.load(untouched());
        hot.redis.persist(users());
        hot.redis.del(counts());
        hot.read(ANN, "token");

        assertThat(hot.install(hot.fence, untouched(), "token")).isEqualTo(INSTALLED);
        assertThat(hot.clean(users())).isTrue();
    }

    @Test
    void aDirtyEntityOfAnOlderEpochIsReplaced() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        Fence next = hot.reopen();
        hot.read(next, ANN, "token", "");

        assertThat(hot.install(next, untouched(), "token")).isEqualTo(INSTALLED);
        assertThat(hot.clean(counts())).isTrue();
        assertThat(hot.clean(users())).isTrue();
    }

    @Test
    void aRefusalAtMaxmemoryTearsNothingDown() {
        hot.load(complete(List.of(LIKES), Map.of(ANN, List.of(LIKE))));
        hot.redis.del(users());
        hot.read(ANN, "token");
        var before = hot.everything();
        hot.fill();

        assertThatThrownBy(() -> hot.install(hot.fence, untouched(), "token"))
                .hasRootCauseMessage("OOM command not allowed when used memory > 'maxmemory'.");
        assertThat(hot.everything()).isEqualTo(before);
        assertThat(hot.hit(null).counters()).containsExactly(LIKES);
    }

    @Test
    void takesMoreUsersThanLuaCanUnpack() {
        hot.load(complete(List.of(LIKES), people(9001, LIKE)));

        assertThat(hot.redis.hlen(users())).isEqualTo(9001 + 3);
        assertThat(hot.hit("user9001").own()).containsExactly(LIKE);
    }
}
