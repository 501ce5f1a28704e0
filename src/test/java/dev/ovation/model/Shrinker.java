package dev.ovation.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Makes a failing list smaller as long as it still fails: leaves out ever smaller parts, then puts
 * simpler items in the places of those that are left, until neither helps.
 */
public final class Shrinker<T> {

    private final Predicate<List<T>> fails;
    private final Function<T, List<T>> simpler;
    private int tries;

    /**
     * A shrinker.
     *
     * @param fails whether a list fails
     * @param simpler what may stand for an item, the simplest first
     * @param tries how often {@code fails} may be asked
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
