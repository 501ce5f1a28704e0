package dev.ovation.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Shrinks a failing list as long as it still fails: omits ever smaller parts, then replaces the
 * remaining items by simpler ones, until neither succeeds.
 */
public final class Shrinker<T> {

    private final Predicate<List<T>> fails;
    private final Function<T, List<T>> simpler;
    private int tries;

    /**
     * A shrinker.
     *
     * @param fails whether a list fails
     * @param simpler replacements of an item, the simplest first
     * @param tries greatest number of calls of {@code fails}
     */
    public Shrinker(Predicate<List<T>> fails, Function<T, List<T>> simpler, int tries) {
        this.fails = fails;
        this.simpler = simpler;
        this.tries = tries;
    }

    /** Returns the smallest failing list found. */
    public List<T> shrink(List<T> failing) {
        List<T> smallest = failing;
        List<T> before;
        do {
            before = smallest;
            smallest = simplify(leaveOut(smallest));
        } while (tries > 0 && !smallest.equals(before));
        return smallest;
    }

    private List<T> leaveOut(List<T> failing) {
        List<T> smallest = failing;
        for (int size = failing.size(); size > 0; size /= 2) {
            for (int end = smallest.size(); end > 0; end -= size) {
                var candidate = new ArrayList<>(smallest);
                candidate.subList(Math.max(0, end - size), end).clear();
                if (stillFails(candidate)) {
                    smallest = candidate;
                }
            }
        }
        return smallest;
    }

    private List<T> simplify(List<T> failing) {
        List<T> simplest = failing;
        for (int i = 0; i < failing.size(); i++) {
            for (T item : simpler.apply(simplest.get(i))) {
                var candidate = new ArrayList<>(simplest);
                candidate.set(i, item);
                if (stillFails(candidate)) {
                    simplest = candidate;
                    break;
                }
            }
        }
        return simplest;
    }

    private boolean stillFails(List<T> candidate) {
        return !candidate.isEmpty() && tries-- > 0 && fails.test(candidate);
    }
}
