package dev.ovation.rules;

import dev.ovation.rules.ReactionSet.Openness;
import dev.ovation.rules.ReactionSet.SkinTones;
import dev.ovation.rules.constraint.NamespaceConstraints;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules of one namespace. The {@link ReactionKey} identifies a reaction. All answers are
 * computed in advance, so each question costs one look-up.
 */
public final class NamespaceRules {

    private record Member(int position, List<String> excluded) {}

    private final Namespace namespace;
    private final List<ReactionDefinition> reactions;
    private final List<String> keys;
    private final List<List<String>> groups;
    private final Map<String, Member> members;
    private final Map<String, ReactionDefinition> configured;
    private final ReactionSet set;
    private final KeyResolver resolver;
    private final NamespaceConstraints constraints;
    private final boolean permanent;

    NamespaceRules(
            Namespace namespace, ReactionSet set, Map<String, ReactionDefinition> configured) {
        this.namespace = namespace;
        this.configured = configured;
        this.set = set;
        keys = set.reactionIds().stream().map(ReactionKey::of).toList();
        reactions = keys.stream().map(key -> defined(key)).toList();
        groups =
                namespace.mutuallyExclusiveReactions().stream()
                        .map(group -> group.stream().map(ReactionKey::of).toList())
                        .toList();
        members = members();
        resolver = new KeyResolver(set, configured);
        constraints =
                NamespaceConstraints.of(
                        namespace.constraints(), namespace.attributes(), resolver::keyOf);
        permanent = reactions.stream().allMatch(each -> each.available() == null);
    }

    private ReactionDefinition defined(String key) {
        ReactionDefinition reaction = configured.get(key);
        if (reaction == null) {
            throw new IllegalArgumentException("No reaction " + key);
        }
        return reaction;
    }

    private Map<String, Member> members() {
        Map<String, Set<String>> excluded = new HashMap<>();
        for (List<String> group : groups) {
            for (String key : group) {
                excluded.computeIfAbsent(key, k -> new LinkedHashSet<>()).addAll(group);
            }
        }
        Map<String, Member> result = new HashMap<>();
        for (String key : keys) {
            List<String> others = new ArrayList<>(excluded.getOrDefault(key, Set.of()));
            others.remove(key);
            result.put(key, new Member(result.size(), List.copyOf(others)));
        }
        return Map.copyOf(result);
    }

    /** As configured, with every reaction id in its configured spelling. */
    public Namespace namespace() {
        return namespace;
    }

    /** Returns the number of kinds of reactions that one entity may show. */
    public int maxUniqReactions() {
        return namespace.maxUniqReactions();
    }

    /** The reactions of the namespace's set, in its order. */
    public List<ReactionDefinition> reactions() {
        return reactions;
    }

    /** The keys of {@link #reactions}, in the same order. */
    public List<String> keys() {
        return keys;
    }

    /**
     * Returns the number of reactions of the set that one user may have on an entity; null for no
     * limit.
     */
    public @Nullable Integer maxReactionsPerUser() {
        return namespace.maxReactionsPerUser();
    }

    /** Returns the constraints that the namespace adds to the built-in ones. */
    public NamespaceConstraints constraints() {
        return constraints;
    }

    /**
     * Returns the key of a reaction id in any spelling, or of its short name between colons, as
     * this namespace compares it.
     */
    public String keyOf(String reactionId) {
        return resolver.keyOf(reactionId);
    }

    /**
     * Returns the key of an emoji with its skin tones, where this namespace compares it without;
     * otherwise null.
     */
    public @Nullable String formOf(String reactionId) {
        String key = ReactionKey.of(reactionId);
        boolean isFolded =
                set.skinTones() == SkinTones.FOLD
                        && !contains(key)
                        && !Emoji.withoutSkinTones(key).equals(key);
        return isFolded ? key : null;
    }

    /** Returns the key of a reaction id; null when the namespace does not take the reaction. */
    public @Nullable String key(String reactionId) {
        String key = keyOf(reactionId);
        return takes(key) ? key : null;
    }

    /** Returns whether the namespace takes reactions that its set does not list. */
    public boolean isOpen() {
        return set.open() != null;
    }

    /** Returns whether the reaction of this key is listed, or the set is open to it. */
    public boolean takes(String key) {
        return contains(key)
                || (set.open() == Openness.EMOJI && Emoji.spelling(key) != null)
                || (set.open() == Openness.ANY
                        && key.getBytes(StandardCharsets.UTF_8).length <= ReactionSet.MOST_BYTES);
    }

    /** Returns whether the reaction of this key is taken as a text of the caller's choice. */
    public boolean isFreeText(String key) {
        return set.open() == Openness.ANY && !contains(key) && Emoji.spelling(key) == null;
    }

    /** Whether the reaction of this key is in the namespace's set. */
    public boolean contains(String key) {
        return members.containsKey(key);
    }

    /**
     * Returns the keys that exclude this one for the same user and entity: the other members of all
     * its groups, each once, in the order of the groups.
     */
    public List<String> excluded(String key) {
        Member member = members.get(key);
        return member == null ? List.of() : member.excluded;
    }

    /** Returns the groups of keys, possibly overlapping, of which one user may have one. */
    public List<List<String>> groups() {
        return groups;
    }

    /** The place of a key in the set, from 0; a key outside the set comes after all others. */
    public int position(String key) {
        Member member = members.get(key);
        return member == null ? keys.size() : member.position;
    }

    private @Nullable Availability availability(String key) {
        ReactionDefinition reaction = contains(key) ? configured.get(key) : null;
        return reaction == null ? null : reaction.available();
    }

    /** Returns whether everybody can always add every reaction of the set. */
    public boolean isPermanent() {
        return permanent;
    }

    /**
     * Returns why the listed reaction of this key cannot be added now, as the second half of a
     * sentence; null when its season and its audience allow it, or it has none.
     */
    public @Nullable String unavailable(String key, Traits traits, Instant now) {
        Availability availability = availability(key);
        return availability == null ? null : availability.refusal(traits, now);
    }

    /**
     * Returns the ends of the seasons of these reactions, in milliseconds since 1970, by key; 0 for
     * a reaction that cannot be added now.
     */
    public Map<String, Long> seasonEnds(List<String> keys, Traits traits, Instant now) {
        if (permanent) {
            return Map.of();
        }
        Map<String, Long> ends = Map.of();
        for (String key : keys) {
            Availability availability = availability(key);
            boolean open = unavailable(key, traits, now) == null;
            Instant until = availability == null ? null : availability.until();
            if (!open || until != null) {
                ends = ends.isEmpty() ? new HashMap<>() : ends;
                ends.put(key, open && until != null ? until.toEpochMilli() : 0);
            }
        }
        return ends;
    }

    /** The configured reaction of this key, also one outside the set; null when there is none. */
    public @Nullable ReactionDefinition reaction(String key) {
        return configured.get(key);
    }

    /**
     * The configured spelling of a key, also of one outside the set; the full spelling of an emoji
     * that an open set takes; null when there is none.
     */
    public @Nullable String spelling(String key) {
        ReactionDefinition reaction = configured.get(key);
        if (reaction != null) {
            return reaction.id();
        }
        return isOpen() ? Emoji.spelling(key) : null;
    }
}
