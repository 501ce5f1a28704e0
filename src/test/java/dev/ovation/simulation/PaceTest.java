package dev.ovation.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class PaceTest {

    private long millis;
    private final Pace pace =
            new Pace(
                    Duration.ofMillis(500), 2, 20, 2, 3, () -> Duration.ofMillis(millis).toNanos());

    @Test
    void theRestOfATurnIsWaitedOut() {
        begin(1000);

        millis = 1100;
        assertThat(pace.arrive(0, Duration.ZERO)).isEqualTo(Duration.ofMillis(400));
        millis = 1990;
        assertThat(pace.arrive(1, Duration.ZERO)).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void theFirstUserSetsThePaceOfAll() {
        begin(1000);
        begin(1400);

        assertThat(pace.arrive(0, Duration.ZERO)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void aLateUserStartsAtOnceAndLagsByWholeTurns() {
        begin(0);

        millis = 1500 + 499;
        assertThat(pace.arrive(2, Duration.ZERO)).isZero();
        assertThat(pace.lag()).isZero();
        millis = 1500 + 3 * 500;
        assertThat(pace.arrive(2, Duration.ZERO)).isZero();
        assertThat(pace.lag()).isEqualTo(3);
        assertThat(pace.behind()).isFalse();
    }

    @Test
    void usersLogInDuringTheFirstHalfOfTheWarmUpAndTakeTheNextTurn() {
        assertThat(pace.login()).isEqualTo(Duration.ofMillis(500));
        assertThat(pace.turnAfter(Duration.ofMillis(499))).isZero();
        assertThat(pace.turnAfter(Duration.ofMillis(500))).isOne();
    }

    @Test
    void hesitationCountsFromTheStartOfTheTurn() {
        begin(0);

        millis = 400;
        assertThat(pace.arrive(0, Duration.ofMillis(50))).isEqualTo(Duration.ofMillis(150));
        millis = 520;
        assertThat(pace.arrive(0, Duration.ofMillis(50))).isEqualTo(Duration.ofMillis(30));
        millis = 600;
        assertThat(pace.arrive(0, Duration.ofMillis(50))).isZero();
    }

    @Test
    void moreThanTheAllowedTurnsLateIsBehindAlsoAfterCatchingUp() {
        begin(0);

        millis = 1500 + 4 * 500;
        pace.arrive(2, Duration.ZERO);
        pace.arrive(20, Duration.ZERO);

        assertThat(pace.lag()).isEqualTo(4);
        assertThat(pace.behind()).isTrue();
    }

    @Test
    void aUserThatNeverArrivesCountsAsBehind() {
        begin(0);
        pace.arrive(2, Duration.ZERO);

        millis = 1500 + 4 * 500 - 1;
        pace.look();
        assertThat(pace.behind()).isFalse();
        millis++;
        pace.look();
        assertThat(pace.behind()).isTrue();
    }

    @Test
    void usersThatArrivedAtEveryTurnAreNotBehind() {
        begin(0);
        for (int turn = 0; turn <= 20; turn++) {
            pace.arrive(turn, Duration.ZERO);
            pace.arrive(turn, Duration.ZERO);
        }

        millis = 60_000;
        pace.look();

        assertThat(pace.behind()).isFalse();
    }

    @Test
    void beingLateDuringTheWarmUpDoesNotCount() {
        begin(0);

        millis = 60_000;
        pace.arrive(1, Duration.ZERO);

        assertThat(pace.behind()).isFalse();
        assertThat(pace.measures(1)).isFalse();
        assertThat(pace.measures(2)).isTrue();
    }

    @Test
    void aLateUserOmitsPastTurnsOnlyDuringTheWarmUp() {
        begin(0);

        millis = 900;
        assertThat(pace.after(-1)).isZero();
        millis = 1000;
        assertThat(pace.after(-1)).isOne();
        millis = 60_000;
        assertThat(pace.after(0)).isEqualTo(2);
        assertThat(pace.after(2)).isEqualTo(3);
    }

    private void begin(long at) {
        millis = at;
        pace.begin();
    }
}
