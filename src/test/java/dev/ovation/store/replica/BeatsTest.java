package dev.ovation.store.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

class BeatsTest {

    private static final long MOST = 5_000;

    private final Beats beats = new Beats(Duration.ofNanos(MOST));

    @Test
    void aSnapshotIsAsOldAsItsNewestBeat() {
        assertThat(beats.age(100)).isZero();
        long first = beats.next(1_000);
        long second = beats.next(2_000);

        assertThat(beats.age(2_500)).as("none is seen yet").isEqualTo(1_500);
        assertThat(beats.saw(first, 2_600)).isEqualTo(1_600);
        assertThat(beats.age(2_600)).isEqualTo(1_600);
        assertThat(beats.saw(second, 2_700)).isEqualTo(700);
        assertThat(beats.seen()).isEqualTo(second);
        assertThat(beats.age(4_000)).isEqualTo(2_000);
    }

    /** Another standby behind the same address may show an earlier beat. */
    @Test
    void anEarlierBeatIsOlderAndHidesNoLaterOne() {
        long first = beats.next(1_000);
        long second = beats.next(2_000);
        beats.saw(second, 2_100);

        assertThat(beats.saw(first, 2_200)).isEqualTo(1_200);
        assertThat(beats.seen()).isEqualTo(second);
        assertThat(beats.age(2_200)).isEqualTo(200);
    }

    @Test
    void aBeatThatWasNotSentOrIsForgottenIsTooOld() {
        long first = beats.next(1_000);
        beats.next(1_000 + MOST + 1);

        assertThat(beats.saw(first, 1_000 + MOST + 2)).isEqualTo(Long.MAX_VALUE);
        assertThat(beats.saw(0, 2_000)).isEqualTo(Long.MAX_VALUE);
        assertThat(beats.saw(99, 2_000)).isEqualTo(Long.MAX_VALUE);
        assertThat(beats.seen()).isZero();
    }

    /** A beat on its way may have been sent before the commit that a read must include. */
    @Test
    void aPositionIsTheNextBeatOfThisInstanceAlone() {
        long sent = beats.next(1_000);

        assertThat(beats.position()).isEqualTo(new ReplicaPosition(beats.instance(), sent + 1));
        assertThat(new Beats(Duration.ofNanos(MOST)).instance()).isNotEqualTo(beats.instance());
        assertThat(ReplicaPosition.of(beats.position().toString())).isEqualTo(beats.position());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0123456789abcdef",
                "0123456789abcdef-",
                "0123456789ABCDEF-1",
                "g-1",
                "0123456789abcdef--1",
                "0123456789abcdef-1234567890123456789"
            })
    void anotherTextIsNoPosition(String text) {
        assertThatThrownBy(() -> ReplicaPosition.of(text))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
