package dev.ovation.reaction.view;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.EntityState;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionDefinition;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;

/** Converts stored states to views: spelled, ordered, and completed by the rules. */
public final class Views {

    private final RulesInForce rules;
    private final EntityKey key;
    private final @Nullable NamespaceRules namespace;

    /** Creates the views of one entity, by one version of the rules. */
    public Views(RulesInForce rules, EntityKey key) {
        this.rules = rules;
        this.key = key;
        this.namespace = rules.namespace(key.namespace());
    }

    /**
     * Returns the view of the entity. Counts are ordered by count, then by the time of the first
     * reaction, then by the set.
     *
     * @param epoch with the version, the number of the state
     * @param user user with the reactions {@code own}, or null
     * @param own keys of reactions
     */
    public EntityView view(
            long epoch,
            long version,
            List<Counter> counters,
            @Nullable String user,
            List<String> own) {
        return view(epoch, version, counters, user, own, false);
    }

    /** Returns the view of an entity that may be locked. */
    public EntityView view(
            long epoch,
            long version,
            List<Counter> counters,
            @Nullable String user,
            List<String> own,
            boolean locked) {
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
                0,
                locked);
    }

    /** Returns the view of a state without a viewer, with its people; otherwise as above. */
    public EntityView view(EntityState state) {
        EntityView view = view(state.epoch(), state.version(), state.counters(), null, List.of());
        return new EntityView(
                key.entity(), view.state(), view.counts(), state.people(), state.locked());
    }

    /**
     * Returns reactions of a user as {@link #spelling} spells them; one with a form is spelled as
     * its form.
     */
    public List<String> spelled(List<String> reactions) {
        return reactions.stream().map(each -> spelling(RedisSchema.form(each))).toList();
    }

    /**
     * Returns the key of a reaction as the namespace spells it; if the namespace lacks it, as any
     * rules spell it.
     */
    public String spelling(String reaction) {
        String configured = namespace == null ? null : namespace.spelling(reaction);
        return configured == null ? rules.spelling(reaction) : configured;
    }

    /**
     * Returns the padded state: versions are compared as text, so the greater text is the newer
     * state.
     */
    public static String state(long epoch, long version) {
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
        ReactionDefinition reaction =
                namespace == null ? null : namespace.reaction(counter.reaction());
        return new ReactionCount(
                spelling(counter.reaction()),
                counter.count(),
                counter.firstAt(),
                counter.lastAt(),
                namespace == null || !namespace.takes(counter.reaction()),
                reaction == null ? null : reaction.value());
    }
}
