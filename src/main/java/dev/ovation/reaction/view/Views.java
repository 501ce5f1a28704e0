package dev.ovation.reaction.view;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.Reaction;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;

/** Turns what is stored into what is answered: spelled, ordered, and with what the rules add. */
public final class Views {

    private final RulesInForce rules;
    private final EntityKey key;
    private final @Nullable NamespaceRules namespace;

    /** For one entity, by one version of the rules. */
    public Views(RulesInForce rules, EntityKey key) {
        this.rules = rules;
        this.key = key;
        this.namespace = rules.namespace(key.namespace());
    }

    /**
     * What the entity shows. Counts come by count, then by who came first, then by the set.
     *
     * @param epoch with the version, the number of the state
     * @param user whose reactions {@code own} are, or null
     * @param own keys of reactions
     */
    public EntityView view(
            long epoch,
            long version,
            List<Counter> counters,
            @Nullable String user,
            List<String> own) {
        Comparator<Counter> order =
                Comparator.comparingLong(Counter::count)
                        .reversed()
                        .thenComparingLong(Counter::firstAt)
                        .thenComparingInt(this::position)
                        .thenComparing(Counter::reaction);
        return new EntityView(
                key.entity(),
                state(epoch, version),
                counters.stream().sorted(order).map(this::count).toList(),
                user,
                spelled(own),
                0);
    }

    /** Keys of reactions, as {@link #spelling} has them. */
    public List<String> spelled(List<String> keys) {
        return keys.stream().map(this::spelling).toList();
    }

    /** The key of a reaction as the namespace spells it, or as any rules do. */
    public String spelling(String reaction) {
        String configured = namespace == null ? null : namespace.spelling(reaction);
        return configured == null ? rules.spelling(reaction) : configured;
    }

    /** Padded, so that the greater string is the newer state: versions are compared as text. */
    private static String state(long epoch, long version) {
        return padded(epoch, 10) + '.' + padded(version, 12);
    }

    private static String padded(long number, int digits) {
        String text = Long.toString(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    private int position(Counter counter) {
        return namespace == null ? 0 : namespace.position(counter.reaction());
    }

    private ReactionCount count(Counter counter) {
        Reaction reaction = namespace == null ? null : namespace.reaction(counter.reaction());
        return new ReactionCount(
                spelling(counter.reaction()),
                counter.count(),
                counter.firstAt(),
                counter.lastAt(),
                namespace == null || !namespace.contains(counter.reaction()),
                reaction == null ? null : reaction.value());
    }
}
