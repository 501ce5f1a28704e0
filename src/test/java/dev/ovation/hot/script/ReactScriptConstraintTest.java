package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.CAT;
import static dev.ovation.hot.script.HotFixture.DISLIKE;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.complete;
import static dev.ovation.hot.script.HotFixture.untouched;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.Counter;
import dev.ovation.hot.script.ReactScript.Reason;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.Miss;
import dev.ovation.hot.script.ReactScript.Reply.Refused;
import dev.ovation.hot.script.ReactScript.Reply.UserMiss;
import dev.ovation.rules.constraint.Constraint;
import dev.ovation.rules.constraint.NamespaceConstraints;
import dev.ovation.store.snapshot.EntitySnapshot;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Programs of constraints within the judgement of a change. */
class ReactScriptConstraintTest {

    private static final String US = "\u001f";

    /** entity.total + size(added) <= 2. */
    private static final String TWO =
            String.join(US, "-", "l", "+", "ventity.total", "z", "vadded", "i2");

    /** op != 'remove'. */
    private static final String NO_REMOVAL = String.join(US, "r", "!", "=", "vop", "sremove");

    /** user.last_reacted_at == null || now - user.last_reacted_at >= 10 microseconds. */
    private static final String SLOW =
            String.join(
                    US,
                    "-",
                    "|5",
                    "=",
                    "vuser.last_reacted_at",
                    "N",
                    "l",
                    "i10",
                    "-",
                    "vnow",
                    "vuser.last_reacted_at");

    private static final String ADULT = String.join(US, "-", "l", "i18", "aage");
    private static final String TRUE = "-" + US + "t";

    private final HotFixture hot = new HotFixture();

    @BeforeEach
    void theEntityIsLoaded() {
        hot.load(untouched());
    }

    @Test
    void aRefusalNamesTheConstraintRestsOnTheEntityAndChangesNothing() {
        hot.add(ANN, LIKE).constraints(TRUE, TWO).accepted();
        hot.add(BEN, LIKE).constraints(TRUE, TWO).accepted();
        var before = hot.everything();

        assertThat(hot.add(BEN, HEART).constraints(TRUE, TWO).reply())
                .isEqualTo(new Refused(Reason.CONSTRAINT, 2, "", List.of(), 2));
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void theFirstConstraintThatRefusesIsNamed() {
        assertThat(hot.add(ANN, LIKE).constraints(ADULT, ADULT).reply())
                .isEqualTo(new Refused(Reason.CONSTRAINT, 0, "", List.of(), 1));
        assertThat(hot.add(ANN, LIKE).constraints(ADULT).attributes("age" + US + "i18").reply())
                .isInstanceOf(Accepted.class);
    }

    @Test
    void aRemovalIsJudgedOnlyByThoseThatMentionIt() {
        hot.add(ANN, LIKE).accepted();

        assertThat(hot.remove(ANN, LIKE).constraints(TWO, NO_REMOVAL).reply())
                .isEqualTo(new Refused(Reason.CONSTRAINT, 1, "", List.of(), 2));
        assertThat(hot.remove(ANN, LIKE).constraints("-" + US + "f").reply())
                .isInstanceOf(Accepted.class);
    }

    @Test
    void aChangeOfNothingIsNotJudged() {
        assertThat(hot.remove(ANN, LIKE).constraints(NO_REMOVAL).accepted().changed()).isFalse();
    }

    /** A program that is none, whatever wrote it. */
    @Test
    void aBrokenProgramRefuses() {
        for (String broken :
                List.of(
                        "-",
                        "-" + US + "l",
                        "-" + US + "?",
                        "-" + US + "E9" + US + "i1",
                        "-" + US + "y")) {
            assertThat(hot.add(ANN, LIKE).constraints(broken).reply())
                    .as(broken)
                    .isEqualTo(new Refused(Reason.CONSTRAINT, 0, "", List.of(), 1));
        }
    }

    /** As those of a version that another release of the program accepted. */
    @Test
    void aConstraintThatDoesNotCompileRefusesAdditionsAlone() {
        hot.add(ANN, LIKE).accepted();
        var unreadable = new Constraint("later", "user.karma > 3", "needs karma");
        var readable = new Constraint("two", "size(user.reactions) < 3 || op == 'put'", "two");
        String[] programs =
                NamespaceConstraints.of(
                                List.of(readable, unreadable), Map.of(), UnaryOperator.identity())
                        .programs()
                        .split("\u001e");

        assertThat(hot.add(BEN, LIKE).constraints(programs).reply())
                .isEqualTo(new Refused(Reason.CONSTRAINT, 1, "", List.of(), 2));
        assertThat(hot.put(ANN).constraints(programs).accepted().removed()).containsExactly(LIKE);
    }

    @Test
    void theTimeOfTheLastReactionIsThatOfTheLastAddition() {
        slow(ChangeKind.ADD, LIKE, 5_000).accepted();

        assertThat(slow(ChangeKind.ADD, HEART, 5_009).reply()).isInstanceOf(Refused.class);
        hot.remove(ANN, LIKE).at(5_009).accepted();
        assertThat(slow(ChangeKind.ADD, HEART, 5_009).reply()).isInstanceOf(Refused.class);
        slow(ChangeKind.ADD, HEART, 5_010).accepted();
    }

    /** The entity cannot be loaded anew, because it is dirty. */
    @Test
    void aUserWithoutATimeIsLookedUpAloneWhileOthersWrite() {
        reload(complete(List.of(new Counter(LIKE, 1, 1, 2)), Map.of(ANN, List.of(LIKE))));
        hot.add(BEN, HEART).accepted();

        assertThat(slow(ChangeKind.ADD, HEART, 9_000).reply())
                .isEqualTo(new UserMiss("token of " + ANN));
        assertThat(hot.installUsers(hot.fence, looked(ANN, 8_995L, LIKE))).isOne();

        assertThat(slow(ChangeKind.ADD, HEART, 9_000).reply()).isInstanceOf(Refused.class);
        assertThat(slow(ChangeKind.ADD, HEART, 9_005).accepted().own())
                .containsExactly(LIKE, HEART);
    }

    /** The load brings the times of all its users, so that the entity stays complete. */
    @Test
    void aCleanEntityWithoutTimesIsLoadedAnew() {
        var likes = List.of(new Counter(LIKE, 2, 1, 2));
        var both = Map.of(ANN, List.of(LIKE), BEN, List.of(LIKE));
        var times = Map.of(ANN, 8_995L, BEN, 2L);
        reload(complete(likes, both));
        var before = hot.redis.hgetall(HotFixture.users());

        assertThat(slow(ChangeKind.ADD, HEART, 9_000).reply())
                .isEqualTo(new Miss("token of " + ANN));
        assertThat(hot.redis.hgetall(HotFixture.users())).isEqualTo(before);
        assertThat(hot.redis.exists(HotFixture.filter())).isZero();

        var timed = new EntitySnapshot(1, 10, "before", 1000, 2, likes, true, both, null, times);
        assertThat(hot.install(hot.fence, timed, "token of " + ANN))
                .isEqualTo(InstallScript.Reply.INSTALLED);
        assertThat(slow(ChangeKind.ADD, HEART, 9_000).reply()).isInstanceOf(Refused.class);
        slow(ChangeKind.ADD, HEART, 9_005).accepted();
    }

    /** The hash lacks a user from then on, so that an absent one may have reactions. */
    @Test
    void anEntityWithALookedUpUserIsPartial() {
        reload(
                complete(
                        List.of(new Counter(LIKE, 2, 1, 2)),
                        Map.of(ANN, List.of(LIKE), BEN, List.of(LIKE))));
        hot.add(BEN, HEART).accepted();
        slow(ChangeKind.ADD, HEART, 9_000).reply();

        assertThat(hot.read(ANN, "reader"))
                .isEqualTo(new ReadScript.Reply.UserMiss("token of " + ANN));
        assertThat(hot.hit(BEN).own()).containsExactly(LIKE, HEART);
        assertThat(hot.hit(CAT).own()).isEmpty();
        hot.add(CAT, LIKE).accepted();
    }

    /** Postgres does not know the user's reactions yet. */
    @Test
    void aUserWithAChangeInFlightIsLookedUpAfterItsCommit() {
        hot.add(ANN, DISLIKE).accepted();

        assertThat(slow(ChangeKind.ADD, LIKE, 9_000).reply()).isEqualTo(new UserMiss("1"));
        assertThat(hot.hit(ANN).own()).containsExactly(DISLIKE);
        hot.ack(1);
        assertThat(slow(ChangeKind.ADD, LIKE, 9_000).reply())
                .isEqualTo(new UserMiss("token of " + ANN));
    }

    private void reload(EntitySnapshot snapshot) {
        hot.redis.unlink(HotFixture.counts(), HotFixture.users());
        hot.load(snapshot);
    }

    private static InstallUsersScript.Looked looked(String user, Long at, String reaction) {
        return new InstallUsersScript.Looked(user, "token of " + user, List.of(reaction), at);
    }

    private Wish slow(ChangeKind kind, String reaction, long at) {
        return hot.add(ANN, reaction).at(at).constraints(SLOW).timesOfUsers();
    }
}
