package dev.ovation.rules;

import static java.util.stream.Collectors.toUnmodifiableMap;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
            List<Namespace> namespaces,
            @JsonInclude(Include.NON_EMPTY) @Nullable List<SeasonalReaction> seasonal) {

        Lists {
            reactions = List.copyOf(reactions);
            reactionSets = List.copyOf(reactionSets);
            namespaces = List.copyOf(namespaces);
            seasonal = seasonal == null ? List.of() : List.copyOf(seasonal);
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
        this(new Lists(reactions, reactionSets, namespaces, List.of()));
    }

    private RuleSet(Lists lists) {
        this.lists = lists;
        Map<String, ReactionDefinition> byKey = new HashMap<>();
        lists.reactions.forEach(each -> byKey.put(ReactionKey.of(each.id()), each));
        Map<String, List<String>> additions = new HashMap<>();
        Set<String> listed = Set.copyOf(byKey.keySet());
        for (SeasonalReaction each : seasonal()) {
            if (!listed.contains(each.key())) {
                byKey.putIfAbsent(each.key(), each.reaction());
                additions
                        .computeIfAbsent(each.reactionSetId(), _ -> new ArrayList<>())
                        .add(each.reaction().id());
            }
        }
        Map<String, ReactionSet> sets =
                lists.reactionSets.stream()
                        .map(set -> set.with(additions.getOrDefault(set.id(), List.of())))
                        .collect(toUnmodifiableMap(ReactionSet::id, s -> s));
        rules = namespaces(lists.namespaces, sets, byKey);
    }

    private static Map<String, NamespaceRules> namespaces(
            List<Namespace> namespaces,
            Map<String, ReactionSet> sets,
            Map<String, ReactionDefinition> byKey) {
        Map<String, ReactionDefinition> reactions = Map.copyOf(byKey);
        return namespaces.stream()
                .collect(toUnmodifiableMap(Namespace::id, n -> rules(n, sets, reactions)));
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

    /** Compiles the constraints of all namespaces, so that no request has to. */
    public void compileConstraints() {
        rules.values().forEach(each -> each.constraints().compile());
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

    /** Returns the seasonal reactions that were added beside these lists. */
    public List<SeasonalReaction> seasonal() {
        return lists.seasonal == null ? List.of() : lists.seasonal;
    }

    /** Returns these lists with other seasonal reactions beside them. */
    public RuleSet withSeasonal(List<SeasonalReaction> seasonal) {
        return seasonal.equals(seasonal())
                ? this
                : new RuleSet(
                        new Lists(lists.reactions, lists.reactionSets, lists.namespaces, seasonal));
    }

    /** Returns whether the lists are empty. */
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
     * again, and its constraints are not compiled.
     *
     * @throws IllegalArgumentException if the text is not an output of {@link #toJson}
     */
    public static RuleSet fromJson(String json) {
        try {
            Lists lists = JSON.readValue(json, Lists.class);
            if (lists == null) {
                throw new IllegalArgumentException("No stored configuration: null");
            }
            return new RuleSet(lists);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("Not a stored configuration", e);
        }
    }
}
