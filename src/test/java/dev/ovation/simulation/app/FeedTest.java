package dev.ovation.simulation.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.simulation.Config;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

class FeedTest {

    private static final int SIZE = 377;
    private static final List<Integer> ALL = IntStream.range(0, SIZE).boxed().toList();

    @Test
    void withoutAnythingTheOrderIsTheTopics() {
        assertThat(order(false, 0, 1)).isEqualTo(ALL);
    }

    @Test
    void shuffledPerUserEachUserSeesAllInAnOrderOfTheirOwn() {
        assertThat(order(true, 0, 1)).containsExactlyInAnyOrderElementsOf(ALL).isNotEqualTo(ALL);
        assertThat(order(true, 0, 1)).isNotEqualTo(order(true, 0, 2)).isEqualTo(order(true, 0, 1));
    }

    @Test
    void skewedTheFirstEntitiesComeFirstForMostUsersAndAllComeInTheEnd() {
        assertThat(order(false, 0.1, 1)).containsExactlyInAnyOrderElementsOf(ALL);
        long within =
                IntStream.range(0, 1000)
                        .map(seed -> feed(false, 0.1, seed).at(0))
                        .filter(entity -> entity < SIZE / 10)
                        .count();
        // Within one standard deviation: 0.683 of a Gaussian.
        assertThat(within).isBetween(620L, 740L);
    }

    private static List<Integer> order(boolean shuffle, double skew, long seed) {
        var feed = feed(shuffle, skew, seed);
        return IntStream.range(0, SIZE).map(feed::at).boxed().toList();
    }

    private static Feed feed(boolean shuffle, double skew, long seed) {
        return new Feed(
                new Config.Topics(1, "namespace", SIZE, shuffle, skew), new SplittableRandom(seed));
    }
}
