package dev.ovation.simulation.app;

import dev.ovation.simulation.Config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A topic's entities, by number, in the order of one user; drawn as far as the user scrolls. */
final class Feed {

    private final Config.Topics kind;
    private final RandomGenerator random;
    private final List<Integer> order = new ArrayList<>();
    private final Set<Integer> taken = new HashSet<>();
    private final Map<Integer, Integer> swapped = new HashMap<>();

    Feed(Config.Topics kind, RandomGenerator random) {
        this.kind = kind;
        this.random = random;
    }

    /** The entity at a position, each of {@code 0 … size - 1} at exactly one of them. */
    int at(int position) {
        while (order.size() <= position) {
            order.add(next());
        }
        return order.get(position);
    }

    private int next() {
        if (kind.skew() > 0) {
            return gaussian();
        }
        return kind.shufflePerUser() ? shuffled() : order.size();
    }

    /** Draws the right half of a Gaussian, without numbers that were drawn before. */
    private int gaussian() {
        double drawn = Math.abs(random.nextGaussian()) * kind.skew() * kind.size();
        int entity = (int) (drawn % kind.size());
        while (!taken.add(entity)) {
            entity = (entity + 1) % kind.size();
        }
        return entity;
    }

    /** One step of a Fisher-Yates shuffle, which stores only the swapped places. */
    private int shuffled() {
        int place = order.size();
        int drawn = random.nextInt(place, kind.size());
        int entity = swapped.getOrDefault(drawn, drawn);
        swapped.put(drawn, swapped.getOrDefault(place, place));
        swapped.remove(place);
        return entity;
    }
}
