package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.CAT;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.SETTINGS;
import static dev.ovation.hot.script.HotFixture.committed;
import static dev.ovation.hot.script.HotFixture.filter;
import static dev.ovation.hot.script.HotFixture.partial;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.hot.script.FillFilterScript.Step;
import dev.ovation.hot.script.InstallUsersScript.Looked;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.UserMiss;
import dev.ovation.hot.state.Proposal;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KeyValue;
import io.lettuce.core.protocol.CommandType;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

/** Changes of partial entities that have a filter. */
class ReactScriptFilterTest {

    private final HotFixture hot = new HotFixture();

    /** The ways of giving a user a reaction. */
    enum Way {
        ADD,
        PUT,
        KEYED,
        CONDITIONAL,
        FORCED;

        Wish wish(HotFixture hot, String user) {
            return switch (this) {
                case ADD -> hot.add(user, LIKE);
                case PUT -> hot.put(user, HEART, LIKE);
                case KEYED -> hot.add(user, LIKE).keyed("key", "request");
                case CONDITIONAL -> hot.add(user, LIKE).on(Proposal.Basis.ANY).existingIsFine();
                case FORCED -> hot.add(user, LIKE).excludedBy(HEART).force();
            };
        }
    }

    /** Makes the user hash forget a user, as a trim does after the acknowledgement. */
    private void forget(String user) {
        assertThat(hot.redis.hdel(users(), "u:" + user)).isEqualTo(1);
    }

    private void assertIsLookedUp(String user) {
        assertThat(hot.read(user, "reader")).isEqualTo(new ReadScript.Reply.UserMiss("reader"));
        assertThat(hot.add(user, LIKE).insteadOf("reader")).isInstanceOf(UserMiss.class);
    }

    /** The rights of an earlier release lack the commands of filters. */
    @Test
    void anEntityTurnsPartialWithoutAFilterIfRedisRefusesToWriteOne() {
        hot.load(HotFixture.untouched());
        hot.redis.aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.SETRANGE));
        try {
            for (int i = 0; i <= SETTINGS.completeLimit(); i++) {
                hot.add("user" + i, LIKE).accepted();
            }
        } finally {
            hot.redis.aclSetuser(
                    "default", AclSetuserArgs.Builder.addCommand(CommandType.SETRANGE));
        }
        assertThat(hot.redis.hmget(users(), "complete", "filter"))
                .containsExactly(KeyValue.just("complete", "0"), KeyValue.empty("filter"));
        assertThat(hot.events()).hasSize(SETTINGS.completeLimit() + 1);
        assertIsLookedUp(BEN);
    }

    @Nested
    class AnEntityThatTurnedPartialInRedis {

        {
            hot.load(HotFixture.untouched());
            for (int i = 0; i <= SETTINGS.completeLimit(); i++) {
                hot.add("user" + i, LIKE).accepted();
            }
        }

        @Test
        void needsNoLookUpOfUsersWhoNeverReacted() {
            assertThat(hot.hit(BEN).own()).isEmpty();
            assertThat(hot.remove(BEN, LIKE).accepted().changed()).isFalse();
            assertThat(hot.add(BEN, LIKE).accepted().own()).containsExactly(LIKE);
            assertThat(hot.hit(BEN).own()).containsExactly(LIKE);
        }

        @Test
        void looksUpEachUserWhoReactedAndLeftTheHash() {
            for (int i = 0; i <= SETTINGS.completeLimit(); i++) {
                forget("user" + i);
                assertIsLookedUp("user" + i);
            }
        }

        @Test
        void itsFilterLivesAsLongAsItsUserHash() {
            assertThat(hot.dirty(filter())).isTrue();
            hot.ack(5, committed("op5", 5));
            assertThat(hot.clean(filter())).isTrue();
            hot.remove("user1", LIKE).op("again").accepted();
            assertThat(hot.dirty(filter())).isTrue();
            hot.ack(6, committed("again", 6));
            assertThat(hot.clean(filter())).isTrue();
        }

        @Test
        void itsFilterIsRemovedWithIt() {
            hot.ack(5, committed("another past", 5));
            assertThat(hot.redis.exists(users(), filter())).isZero();
        }

        @Test
        void itsFilterIsRemovedByAnInstallation() {
            hot.ack(5, committed("op5", 5));
            hot.redis.del(users());
            hot.load(partial(List.of(), Map.of()));
            assertThat(hot.redis.exists(filter())).isZero();
            assertIsLookedUp(BEN);
        }

        @Test
        void aRefusedChangeLeavesTheFilterAsItIs() {
            var before = hot.everything();
            hot.fill();
            assertThatThrownBy(() -> hot.add(BEN, LIKE).reply()).hasMessageContaining("OOM");
            assertThat(hot.everything()).isEqualTo(before);
        }
    }

    @Nested
    class AnEntityWithAFilledFilter {

        {
            hot.load(partial(List.of(), Map.of()));
            hot.completeFilter(ANN);
        }

        @ParameterizedTest
        @EnumSource(Way.class)
        void eachWayToGiveAReactionSetsTheBits(Way way) {
            assertThat(way.wish(hot, BEN).accepted().own()).contains(LIKE);
            forget(BEN);
            assertIsLookedUp(BEN);
        }

        @ParameterizedTest
        @EnumSource(Way.class)
        void aUserOfTheHashSetsTheBitsToo(Way way) {
            hot.redis.hset(users(), "u:" + BEN, "0\u001f");
            assertThat(way.wish(hot, BEN).accepted().own()).contains(LIKE);
            forget(BEN);
            assertIsLookedUp(BEN);
            assertThat(hot.hit(CAT).own()).as("the filter is still complete").isEmpty();
        }

        @Test
        void aBatchOfChangesSetsTheBitsOfEachUser() {
            var items =
                    List.of(hot.add(BEN, LIKE), hot.add(CAT, LIKE), hot.put("dan", HEART)).stream()
                            .map(wish -> HotFixture.item(wish, hot.fence, "token", ""))
                            .toArray(ReactScript.ReactItem[]::new);
            assertThat(hot.run(items).join()).allMatch(Accepted.class::isInstance);
            for (String user : List.of(BEN, CAT, "dan")) {
                forget(user);
                assertIsLookedUp(user);
            }
        }

        @Test
        void anOlderLookUpIsNotInstalledOverAChange() {
            hot.redis.hset(users(), "l:" + BEN, "lookup\u001f9999999999999");
            hot.add(BEN, LIKE).op("op").accepted();
            hot.ack(1, committed("op", 1));
            forget(BEN);
            assertThat(hot.installUsers(hot.fence, new Looked(BEN, "lookup", List.of()))).isZero();
            assertIsLookedUp(BEN);
        }

        @Test
        void aMissingFilterIsNeverBelievedAgainAfterAnAdditionWithoutIt() {
            hot.redis.hset(users(), "u:" + CAT, "0\u001f");
            byte[] old = hot.redis.dump(filter());
            hot.redis.del(filter());
            assertIsLookedUp(BEN);
            hot.add(CAT, LIKE).accepted();
            hot.redis.restore(filter(), 0, old);
            forget(CAT);
            assertIsLookedUp(CAT);
            assertIsLookedUp("stranger");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "1 c 0 8192 0 1000 filled",
                    "1 c 2 8192 0 1000 filled",
                    "2 c 1 8192 0 1000 filled",
                    "1 r 1 8192 0 1000 filled",
                    "1 b 1 8192 0 1000 filled",
                    "1 c 1 8192 0 1000 another",
                    "1 c 1 16384 0 1000 filled" // most words of this user hash are missing
                })
        void isLookedUpWhenTheHeaderDiffers(String header) {
            assertThat(hot.hit("stranger 1").own()).isEmpty();
            hot.redis.setrange(filter(), 0, String.format("%-128s", header));
            // Of 20 users some have their words beyond the end of the filter with too many words.
            assertThat(
                            java.util.stream.IntStream.range(0, 20)
                                    .mapToObj(n -> hot.read("stranger " + n, "reader")))
                    .anyMatch(new ReadScript.Reply.UserMiss("reader")::equals);
            if (!header.contains("16384")) {
                assertIsLookedUp("stranger 1");
            }
        }

        @Test
        void isLookedUpWhenTheFilterIsOfAnotherType() {
            hot.redis.del(filter());
            hot.redis.lpush(filter(), "item");
            assertIsLookedUp(BEN);
        }

        @Test
        void isLookedUpWhenTheFilterIsTruncated() {
            String header = hot.redis.getrange(filter(), 0, 127);
            hot.redis.set(filter(), header);
            assertIsLookedUp(BEN);
        }

        @Test
        void isLookedUpInAnotherEpochEvenIfBothKeysComeBack() {
            byte[] old = hot.redis.dump(filter());
            var next = hot.reopen();
            hot.load(next, partial(List.of(), Map.of()));
            hot.redis.hset(users(), "filter", "filled");
            hot.redis.restore(filter(), 0, old);
            assertThat(hot.read(next, BEN, "reader", ""))
                    .isEqualTo(new ReadScript.Reply.UserMiss("reader"));
        }
    }

    @Nested
    class AFilterThatIsBeingFilled {

        {
            hot.load(partial(List.of(), Map.of()));
            hot.fillFilter("filled", Step.BEGIN);
        }

        @Test
        void provesNothing() {
            assertIsLookedUp(BEN);
            hot.fillFilter("filled", Step.ADD, ANN);
            assertIsLookedUp(ANN);
            assertIsLookedUp(CAT);
        }

        @Test
        void takesAdditions() {
            hot.lookUp(BEN);
            hot.add(BEN, LIKE).op("op").accepted();
            hot.ack(1, committed("op", 1));
            hot.fillFilter("filled", Step.LAST);
            forget(BEN);
            assertIsLookedUp(BEN);
            assertThat(hot.hit(CAT).own()).isEmpty();
        }
    }
}
