package dev.ovation.protocol;

import java.util.List;
import java.util.Random;

/** Source of all decisions of a schedule: random numbers, or a recorded list. */
final class Choices {

    private final Random random;
    private final int[] given;
    private int[] taken = new int[256];
    private int size;

    private Choices(Random random, int[] given) {
        this.random = random;
        this.given = given;
    }

    static Choices random(long seed) {
        return new Choices(new Random(seed), new int[0]);
    }

    /** Repeats a list of decisions; after its end returns 0, the simplest decision. */
    static Choices repeated(List<Integer> given) {
        return new Choices(null, given.stream().mapToInt(Integer::intValue).toArray());
    }

    int below(int bound) {
        int choice =
                random != null
                        ? random.nextInt(bound)
                        : size < given.length ? given[size] % bound : 0;
        if (size == taken.length) {
            taken = java.util.Arrays.copyOf(taken, size * 2);
        }
        taken[size++] = choice;
        return choice;
    }

    /** Returns true once in {@code times} calls on average. */
    boolean oneIn(int times) {
        return below(times) == times - 1;
    }

    <T> T of(List<T> all) {
        return all.get(below(all.size()));
    }

    /** Whether a recorded list is at its end. */
    boolean isOver() {
        return random == null && size >= given.length;
    }

    List<Integer> taken() {
        return java.util.Arrays.stream(taken, 0, size).boxed().toList();
    }
}
