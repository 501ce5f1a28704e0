package dev.ovation.hot.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;

import org.junit.jupiter.api.Test;

import java.util.List;

class EntityStateTest {

    private static final EntityState STATE = state(5, "op", 3);

    @Test
    void statesOfDifferentViewersAreTheSame() {
        assertThat(STATE.seenWith(List.of("👍")).isSameAs(STATE)).isTrue();
        assertThat(state(5, "op", 3).isSameAs(STATE)).isTrue();
    }

    @Test
    void isAnotherByAnotherChangeOrInAnotherEpoch() {
        assertThat(state(5, "other", 3).isSameAs(STATE)).isFalse();
        assertThat(state(6, "op", 3).isSameAs(STATE)).isFalse();
    }

    @Test
    void isNotTheSameWhenTheCountersOfOneWereWrong() {
        assertThat(state(5, "op", 4).isSameAs(STATE)).isFalse();
    }

    @Test
    void statesWithoutAnOpAreNeverTheSame() {
        assertThat(state(5, "", 3).isSameAs(state(5, "", 3))).isFalse();
    }

    private static EntityState state(long epoch, String op, long count) {
        return new EntityState(
                epoch, 7, op, count, List.of(new Counter("👍", count, 100, 200)), List.of());
    }
}
