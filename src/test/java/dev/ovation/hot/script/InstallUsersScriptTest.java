package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.CAT;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.SETTINGS;
import static dev.ovation.hot.script.HotFixture.partial;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.hot.script.InstallUsersScript.Looked;
import dev.ovation.hot.script.ReadScript.Reply.UserMiss;
import dev.ovation.hot.state.Fence;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class InstallUsersScriptTest {

    private final HotFixture hot = new HotFixture();

    @BeforeEach
    void aCrowdedEntity() {
        hot.load(partial(List.of(), Map.of()));
    }

    @Test
    void putsUsersThereAbsenceIncluded() {
        hot.read(ANN, "a");
        hot.read(BEN, "b");

        assertThat(
                        hot.installUsers(
                                hot.fence,
                                new Looked(ANN, "a", List.of(LIKE, HEART)),
                                new Looked(BEN, "b", List.of())))
                .isEqualTo(2);
        assertThat(hot.hit(ANN).own()).containsExactly(LIKE, HEART);
        assertThat(hot.hit(BEN).own()).isEmpty();
        assertThat(hot.clean(users())).isTrue();
    }

    @Test
    void onlyUsersWhoseLeaseTheCallerHoldsAreInstalled() {
        hot.read(ANN, "a");
        hot.read(BEN, "another");

        assertThat(
                        hot.installUsers(
                                hot.fence,
                                new Looked(ANN, "a", List.of(LIKE)),
                                new Looked(BEN, "b", List.of(LIKE)),
                                new Looked(CAT, "c", List.of(LIKE))))
                .isEqualTo(1);
        assertThat(hot.read(BEN, "b")).isEqualTo(new UserMiss("another"));
        assertThat(hot.read(CAT, "c")).isEqualTo(new UserMiss("c"));
    }

    @Test
    void aLeaseServesOnceSoThatAnOldLookUpNeverOverwritesAChange() {
        hot.lookUp(ANN);
        hot.add(ANN, LIKE).accepted();

        assertThat(hot.installUsers(hot.fence, new Looked(ANN, "lookup", List.of()))).isZero();
        assertThat(hot.hit(ANN).own()).containsExactly(LIKE);
    }

    @Test
    void leasesEndWithTheEntity() {
        hot.read(ANN, "a");
        hot.redis.del(users());
        hot.load(partial(List.of(), Map.of()));

        assertThat(hot.installUsers(hot.fence, new Looked(ANN, "a", List.of(LIKE)))).isZero();
        assertThat(hot.userField(ANN)).isNull();
    }

    @Test
    void makesNoHashOfItsOwn() {
        hot.read(ANN, "a");
        hot.redis.del(users());

        assertThat(hot.installUsers(hot.fence, new Looked(ANN, "a", List.of(LIKE)))).isZero();
        assertThat(hot.redis.exists(users())).isZero();
    }

    /** The version is that of an import whose commit Redis does not know yet. */
    @Test
    void aStateThatPostgresReplacedLeavesInsteadOfGettingAUser() {
        hot.read(ANN, "a");

        assertThat(hot.installUsersOf(11, hot.fence, new Looked(ANN, "a", List.of(LIKE)))).isZero();
        assertThat(hot.redis.keys("{*}:[culb]:*")).isEmpty();
    }

    @Test
    void aReplacedStateWithAnUncommittedChangeStaysWithoutTheUser() {
        hot.lookUp(BEN);
        hot.add(BEN, LIKE).accepted();
        hot.read(ANN, "a");
        var before = hot.everything();

        assertThat(hot.installUsersOf(12, hot.fence, new Looked(ANN, "a", List.of(HEART))))
                .isZero();
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void aUserJoinsAStateThatIsAheadOfTheLookUp() {
        hot.lookUp(BEN);
        hot.add(BEN, LIKE).accepted();
        hot.read(ANN, "a");

        assertThat(hot.installUsersOf(11, hot.fence, new Looked(ANN, "a", List.of(LIKE))))
                .isEqualTo(1);
        assertThat(hot.hit(ANN).own()).containsExactly(LIKE);
    }

    @Test
    void isFencedInAnotherEpochOnAnotherServerAndOnAReplica() {
        hot.read(ANN, "a");
        var ann = new Looked(ANN, "a", List.of(LIKE));

        assertThat(hot.installUsers(new Fence(2, hot.incarnation()), ann)).isEqualTo(-1);
        assertThat(hot.installUsers(new Fence(1, "another"), ann)).isEqualTo(-1);
        hot.demote();
        assertThat(hot.installUsers(hot.fence, ann)).isEqualTo(-1);
        assertThat(hot.userField(ANN)).isNull();
    }

    @Test
    void keepsTheHashWithinItsBound() {
        for (int i = 0; i < 37; i++) {
            hot.lookUp("user" + i, LIKE);
            assertThat(hot.redis.hlen(users())).isLessThanOrEqualTo(SETTINGS.partialLimit());
        }
        assertThat(hot.hit("user36").own()).containsExactly(LIKE);
    }

    @Test
    void neverDropsAUserWithAChangeThatIsNotAcked() {
        for (String user : List.of(ANN, BEN)) {
            hot.lookUp(user);
            hot.add(user, LIKE).accepted();
        }
        for (int i = 0; i < 37; i++) {
            hot.lookUp("user" + i);
        }

        assertThat(hot.hit(ANN).own()).containsExactly(LIKE);
        assertThat(hot.hit(BEN).own()).containsExactly(LIKE);
    }

    @Test
    void dropsAUserOnceTheChangeIsAcked() {
        hot.lookUp(ANN);
        hot.add(ANN, LIKE).op("op").accepted();
        hot.ack(1, HotFixture.committed("op", 1));
        for (int i = 0; i < 377 && hot.userField(ANN) != null; i++) {
            hot.lookUp("user" + i);
        }

        assertThat(hot.userField(ANN)).isNull();
    }

    @Test
    void leasesOfLookUpsThatNeverEndedAreDroppedToo() {
        for (int i = 0; i < 23; i++) {
            hot.read("user" + i, "abandoned");
        }
        hot.lookUp(ANN, LIKE);

        assertThat(hot.redis.hlen(users())).isEqualTo(SETTINGS.partialLimit());
        assertThat(hot.hit(ANN).own()).containsExactly(LIKE);
    }

    @Test
    void aRefusalAtMaxmemoryChangesNothing() {
        hot.read(ANN, "a");
        var before = hot.everything();
        hot.fill();

        assertThatThrownBy(() -> hot.installUsers(hot.fence, new Looked(ANN, "a", List.of(LIKE))))
                .hasRootCauseMessage("OOM command not allowed when used memory > 'maxmemory'.");
        assertThat(hot.everything()).isEqualTo(before);
    }
}
