package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.filter;
import static dev.ovation.hot.script.HotFixture.untouched;
import static dev.ovation.hot.script.HotFixture.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class SweepScriptTest {

    private final HotFixture hot = new HotFixture();

    @Test
    void hotStateOfAnOlderEpochIsRemoved() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.reopen();

        assertThat(hot.sweep(counts(), users())).isEqualTo(2);
        assertThat(hot.redis.exists(counts(), users())).isZero();
    }

    @Test
    void removesFiltersOfOlderEpochsAndOfUnknownForm() {
        hot.load(HotFixture.partial(List.of(), Map.of()));
        hot.completeFilter(ANN);
        assertThat(hot.sweep(filter())).isZero();
        assertThat(hot.redis.exists(filter())).isEqualTo(1);

        hot.reopen();
        assertThat(hot.sweep(filter())).isEqualTo(1);
        hot.redis.set(filter(), "unknown");
        assertThat(hot.sweep(filter())).isEqualTo(1);
    }

    @Test
    void removesAFilterThatNoUserHashNames() {
        hot.load(HotFixture.partial(List.of(), Map.of()));
        hot.completeFilter(ANN);

        hot.redis.hset(users(), "filter", "another");
        assertThat(hot.sweep(filter())).isEqualTo(1);

        hot.completeFilter(ANN);
        hot.redis.del(users());
        assertThat(hot.sweep(filter())).isEqualTo(1);
    }

    @Test
    void comparesEpochsAsNumbers() {
        var ninth = new Fence(9, hot.incarnation());
        hot.open(ninth);
        hot.load(ninth, untouched());
        hot.open(new Fence(10, hot.incarnation()));

        assertThat(hot.sweep(counts(), users())).isEqualTo(2);
    }

    @Test
    void hotStateOfTheOpenEpochRemains() {
        Fence next = hot.reopen();
        hot.load(next, untouched());

        assertThat(
                        hot.sweep(
                                counts(),
                                users(),
                                RedisSchema.counts(P, new EntityKey("posts", "gone"))))
                .isZero();
        assertThat(hot.redis.exists(counts(), users())).isEqualTo(2);
    }

    @Test
    void leavesEverythingWhereNoEpochIsOpen() {
        hot.load(untouched());
        hot.redis.del(RedisSchema.meta(P));

        assertThat(hot.sweep(counts(), users())).isZero();
        assertThat(hot.redis.exists(counts(), users())).isEqualTo(2);
    }
}
