package dev.ovation.simulation.app;

import dev.ovation.simulation.Config;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Actions of a user in a turn. */
enum Action {
    SWITCH_TOPIC,
    SCROLL,
    ADD_REACTION,
    REMOVE_REACTION,
    QUIT;

    /**
     * Draws one by weight among the possible ones; if scrolling is not possible, its weight is
     * added to switching.
     *
     * @return none if no possible action has a weight
     */
    static Optional<Action> draw(
            Config.Weights weights,
            boolean canScroll,
            boolean canAdd,
            boolean canRemove,
            RandomGenerator random) {
        var possible = new EnumMap<Action, Integer>(Action.class);
        possible.put(SWITCH_TOPIC, weights.switchTopic() + (canScroll ? 0 : weights.scroll()));
        possible.put(SCROLL, canScroll ? weights.scroll() : 0);
        possible.put(ADD_REACTION, canAdd ? weights.addReaction() : 0);
        possible.put(REMOVE_REACTION, canRemove ? weights.removeReaction() : 0);
        possible.put(QUIT, weights.quit());
        int sum = possible.values().stream().mapToInt(Integer::intValue).sum();
        if (sum == 0) {
            return Optional.empty();
        }
        int drawn = random.nextInt(sum);
        for (Map.Entry<Action, Integer> each : possible.entrySet()) {
            drawn -= each.getValue();
            if (drawn < 0) {
                return Optional.of(each.getKey());
            }
        }
        throw new AssertionError();
    }
}
