package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.CAT;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.SETTINGS;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.lease;
import static dev.ovation.hot.script.HotFixture.partial;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.hot.script.ReactScript.Reason;
import dev.ovation.hot.script.ReactScript.Reply.Miss;
import dev.ovation.hot.script.ReactScript.Reply.Refused;
import dev.ovation.hot.script.ReactScript.Reply.UserMiss;
import dev.ovation.hot.state.Fence;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Changes of entities and users that are not loaded. */
class ReactScriptLoadTest {

    private final HotFixture hot = new HotFixture();

    @Nested
    class AMiss {

        @Test
        void givesTheLeaseToTheFirstAndNamesItToOthers() {
            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Miss("token of " + ANN));
            assertThat(hot.add(BEN, LIKE).reply()).isEqualTo(new Miss("token of " + ANN));
            assertThat(hot.redis.pttl(lease())).isBetween(1L, SETTINGS.lease().toMillis());
            assertThat(hot.outbox()).isEmpty();
        }

        @Test
        void aLeasePassesOnlyToACallerThatNamesItsHolder() {
            hot.add(ANN, LIKE).reply();

            assertThat(hot.add(CAT, LIKE).insteadOf("somebody"))
                    .isEqualTo(new Miss("token of " + ANN));
            assertThat(hot.add(BEN, LIKE).insteadOf("token of " + ANN))
                    .isEqualTo(new Miss("token of " + BEN));
        }

        @Test
        void isEitherHashMissingOrOfAnotherEpoch() {
            hot.load(untouched());
            hot.redis.del(users());
            assertThat(hot.add(ANN, LIKE).reply()).isInstanceOf(Miss.class);

            hot.redis.del(counts(), lease());
            hot.load(untouched());
            Fence next = hot.reopen();
            assertThat(hot.add(ANN, LIKE).reply(next)).isInstanceOf(Miss.class);
            assertThat(hot.outbox()).isEmpty();
        }
    }

    @Nested
    class ACrowdedEntity {

        @Test
        void mustLookItsUsersUp() {
            hot.load(partial(List.of(new Counter(LIKE, 900, 1, 2)), Map.of()));

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new UserMiss("token of " + ANN));
            assertThat(hot.add(ANN, LIKE).insteadOf("somebody"))
                    .isEqualTo(new UserMiss("token of " + ANN));
            assertThat(hot.add(BEN, LIKE).reply()).isEqualTo(new UserMiss("token of " + BEN));
            assertThat(hot.outbox()).isEmpty();
        }

        @Test
        void aUserLeasePassesToACallerThatNamesItsHolder() {
            hot.load(partial(List.of(), Map.of()));
            hot.read(ANN, "reader");

            assertThat(hot.add(ANN, LIKE).insteadOf("reader"))
                    .isEqualTo(new UserMiss("token of " + ANN));
        }

        @Test
        void changesOfLookedUpUsersAreJudged() {
            hot.load(partial(List.of(new Counter(LIKE, 900, 1, 2)), Map.of()));
            hot.lookUp(ANN, LIKE);
            hot.lookUp(BEN);

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Refused(Reason.EXISTS, 0));
            assertThat(hot.add(BEN, LIKE).withState().accepted().counters())
                    .containsExactly(new Counter(LIKE, 901, 1, 5000));
        }

        @Test
        void isOneThatOutgrewItsBound() {
            hot.load(untouched());
            for (int i = 1; i <= SETTINGS.completeLimit(); i++) {
                hot.add("user" + i, LIKE).accepted();
            }
            assertThat(hot.redis.hget(users(), "complete")).isEqualTo("1");

            hot.add(ANN, LIKE).accepted();
            assertThat(hot.redis.hget(users(), "complete")).isEqualTo("0");
            assertThat(hot.hit("user1").own()).containsExactly(LIKE);
            hot.redis.hdel(users(), "u:user1");
            assertThat(hot.add("user1", LIKE).reply()).isInstanceOf(UserMiss.class);
        }

        @Test
        void onlyUsersWithoutUnacknowledgedChangesAreDropped() {
            hot.load(partial(List.of(), HotFixture.people(37, LIKE)));
            hot.lookUp(ANN);
            hot.add(ANN, LIKE).accepted();

            for (int i = 0; i < 37; i++) {
                hot.lookUp("other" + i);
            }
            assertThat(hot.hit(ANN).own()).containsExactly(LIKE);
        }

        @Test
        void aChangeDropsSixteenUsersOrMoreTogether() {
            int headers = 3;
            int users = SETTINGS.partialLimit() + 16 - headers;
            hot.load(partial(List.of(), HotFixture.people(users, LIKE)));
            hot.redis.hdel(users(), "u:user2");
            hot.add("user1", HEART).accepted();
            assertThat(hot.redis.hlen(users())).isEqualTo(headers + users - 1);

            hot.lookUp("user2"); // drops down to the bound
            for (int i = 0; i < 16; i++) {
                hot.redis.hset(users(), "u:more" + i, "0\u001f");
            }
            hot.add("user1", "1").accepted();
            assertThat(hot.redis.hlen(users())).isEqualTo(SETTINGS.partialLimit());
        }

        @Test
        void mayExceedItsBoundByChangesThatAreNotAcked() {
            hot.load(partial(List.of(), Map.of()));
            for (int i = 1; i <= SETTINGS.partialLimit(); i++) {
                hot.lookUp("user" + i);
                hot.add("user" + i, LIKE).accepted();
            }

            for (int i = 1; i <= SETTINGS.partialLimit(); i++) {
                assertThat(hot.hit("user" + i).own()).containsExactly(LIKE);
            }
        }
    }
}
