package dev.ovation.hot.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;

import io.lettuce.core.cluster.SlotHash;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Stream;

class RedisSchemaTest {

    private static final EntityKey KEY = new EntityKey("posts", "{1}:a|b %/\\ 👍🏽");

    @Test
    void namesAreThoseOfTheTable() {
        assertThat(RedisSchema.meta(5)).isEqualTo("{5}:meta");
        assertThat(RedisSchema.outbox(5)).isEqualTo("{5}:outbox");
        assertThat(RedisSchema.counts(5, KEY)).isEqualTo("{5}:c:posts:{1}:a|b %/\\ 👍🏽");
        assertThat(RedisSchema.users(5, KEY)).isEqualTo("{5}:u:posts:{1}:a|b %/\\ 👍🏽");
        assertThat(RedisSchema.lease(5, KEY)).isEqualTo("{5}:l:posts:{1}:a|b %/\\ 👍🏽");
    }

    @Test
    void allKeysOfAPartitionShareASlotForAnyIds() {
        assertThat(
                        Stream.of(
                                        RedisSchema.meta(5),
                                        RedisSchema.outbox(5),
                                        RedisSchema.counts(5, KEY),
                                        RedisSchema.users(5, KEY),
                                        RedisSchema.lease(5, KEY),
                                        RedisSchema.inHand(5, "posts", "{ann}", "{key}"))
                                .map(SlotHash::getSlot)
                                .distinct())
                .containsExactly(SlotHash.getSlot("5"));
    }

    @Test
    void keysInHandNeverMeet() {
        assertThat(RedisSchema.inHand(5, "posts", "a:b", "c"))
                .isNotEqualTo(RedisSchema.inHand(5, "posts", "a", "b:c"));
    }

    @Test
    void listsComeBackAsTheyWere() {
        for (var list :
                List.of(List.<String>of(), List.of("👍🏽"), List.of("a", ":", "|", "{ }", "❤️"))) {
            assertThat(RedisSchema.split(RedisSchema.join(list))).isEqualTo(list);
        }
    }

    @Test
    void countersComeBackAsTheyWere() {
        var like =
                new Counter("👍🏽", 3_000_000_000L, 1_780_000_000_000_001L, 1_780_000_000_000_002L);
        var colon = new Counter(":", 1, 2, 3);
        String flat =
                RedisSchema.join(
                        List.of("👍🏽", RedisSchema.value(like), ":", RedisSchema.value(colon)));

        assertThat(RedisSchema.counters(flat)).containsExactly(like, colon);
        assertThat(RedisSchema.counters("")).isEmpty();
    }
}
