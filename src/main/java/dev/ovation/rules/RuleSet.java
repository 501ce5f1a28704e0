package dev.ovation.rules;

import static java.util.stream.Collectors.toUnmodifiableMap;

import com.fasterxml.jackson.annotation.JsonInclude.Include;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Map;

/**
 * The complete configuration at one moment. Immutable: it is created once per change and queried by
 * every request.
 */
public final class RuleSet {

    /** Without reactions, sets and namespaces. */
    public static final RuleSet EMPTY = new RuleSet(List.of(), List.of(), List.of());

    // Other versions of the program read this; each ignores members that it does not know.
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .changeDefaultPropertyInclusion(
                            included -> included.withValueInclusion(Include.NON_NULL))
                    .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .build();

    private record Lists(
            List<ReactionDefinition> reactions,
            List<ReactionSet> reactionSets,
            List<Namespace> namespaces) {

        Lists {
            reactions = List.copyOf(reactions);
            reactionSets = List.copyOf(reactionSets);
            namespaces = List.copyOf(namespaces);
        }
    }

    private final Lists lists;
    private final Map<String, NamespaceRules> rules;

    /**
     * Creates a rule set from checked lists: ids are unique, references resolve, spellings agree.
     */
    public RuleSet(
            List<ReactionDefinition> reactions,
            List<ReactionSet> reactionSets,
            List<Namespace> namespaces) {
        lists = new Lists(reactions, reactionSets, namespaces);
        Map<String, ReactionDefinition> byKey =
                reactions.stream().collect(toUnmodifiableMap(r -> ReactionKey.of(r.id()), r -> r));
        Map<String, ReactionSet> sets =
                reactionSets.stream().collect(toUnmodifiableMap(ReactionSet::id, s -> s));
        rules =
                namespaces.stream()
                        .collect(toUnmodifiableMap(Namespace::id, n -> rules(n, sets, byKey)));
    }

    private static NamespaceRules rules(
            Namespace namespace,
            Map<String, ReactionSet> sets,
            Map<String, ReactionDefinition> reactions) {
        ReactionSet set = sets.get(namespace.reactionSetId());
        if (set == null) {
            throw new IllegalArgumentException("No reaction set " + namespace.reactionSetId());
        }
        return new NamespaceRules(namespace, set, reactions);
    }

    /** The rules of a namespace, null when there is none of this id. */
    public @Nullable NamespaceRules namespace(String id) {
        return rules.get(id);
    }

    public List<ReactionDefinition> reactions() {
        return lists.reactions;
    }

    public List<ReactionSet> reactionSets() {
        return lists.reactionSets;
    }

    public List<Namespace> namespaces() {
        return lists.namespaces;
    }

    /** Returns whether the configuration is empty. */
    public boolean isEmpty() {
        return reactions().isEmpty() && reactionSets().isEmpty() && namespaces().isEmpty();
    }

    /**
     * Returns the changes from one configuration to the next, one phrase each, as in {@code
     * namespace posts: max_uniq_reactions 6 -> 3} and {@code reaction party added}; empty for none.
     */
    public static List<String> diff(RuleSet older, RuleSet newer) {
        return RuleSetDiff.of(older, newer);
    }

    /** Returns the configuration as one line of JSON, which {@link #fromJson} reads. */
    public String toJson() {
        return JSON.writeValueAsString(lists);
    }

    /**
     * Reads a configuration that this or another version of the program accepted. It is not checked
     * again.
     *
     * @throws IllegalArgumentException if the text is not an output of {@link #toJson}
     */
    public static RuleSet fromJson(String json) {
        try {
            Lists lists = JSON.readValue(json, Lists.class);
            if (lists == null) {
                throw new IllegalArgumentException("No stored configuration: null");
            }
            return new RuleSet(lists.reactions, lists.reactionSets, lists.namespaces);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("Not a stored configuration", e);
        }
    }
}
