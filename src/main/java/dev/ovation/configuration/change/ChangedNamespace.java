package dev.ovation.configuration.change;

import dev.ovation.rules.Namespace;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionSet;
import dev.ovation.rules.RuleSet;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The rules of a namespace before and after a change.
 *
 * @param after null when the namespace vanishes
 */
record ChangedNamespace(String id, NamespaceRules before, @Nullable NamespaceRules after) {

    /**
     * Two reactions that newly exclude each other, in this order and in the other one.
     *
     * @param a number of a given reaction
     * @param b number of another one
     */
    record ExclusivePair(String namespace, int a, int b) {}

    /** Returns the namespaces whose own rules, or whose reactions, differ. */
    static List<ChangedNamespace> between(RuleSet before, RuleSet after) {
        Map<String, ReactionSet> oldSets = sets(before);
        Map<String, ReactionSet> newSets = sets(after);
        Map<String, Namespace> kept =
                after.namespaces().stream()
                        .collect(Collectors.toMap(Namespace::id, Function.identity()));
        var changed = new ArrayList<ChangedNamespace>();
        for (Namespace old : before.namespaces()) {
            Namespace now = kept.get(old.id());
            if (now == null
                    || !old.equals(now)
                    || !Objects.equals(
                            oldSets.get(old.reactionSetId()), newSets.get(now.reactionSetId()))) {
                changed.add(
                        new ChangedNamespace(
                                old.id(),
                                Objects.requireNonNull(before.namespace(old.id())),
                                after.namespace(old.id())));
            }
        }
        return List.copyOf(changed);
    }

    private static Map<String, ReactionSet> sets(RuleSet rules) {
        return rules.reactionSets().stream()
                .collect(Collectors.toMap(ReactionSet::id, Function.identity()));
    }

    /** Returns the rules after the change of a namespace that stays. */
    NamespaceRules rulesAfter() {
        return Objects.requireNonNull(after);
    }

    boolean isRemoved() {
        return after == null;
    }

    /** Returns whether the namespace takes a reaction no longer. */
    boolean retires(String key) {
        return after != null && before.takes(key) && !after.takes(key);
    }

    /** Returns the numbers of those given reactions that use up a place of the limit. */
    List<Integer> counted(List<GivenKind> given) {
        NamespaceRules now = rulesAfter();
        return given.stream().filter(each -> now.takes(each.key())).map(GivenKind::no).toList();
    }

    /** Returns whether entities may be over the limit that were not before. */
    boolean isTighter(List<GivenKind> given) {
        NamespaceRules now = after;
        return now != null
                && (now.maxUniqReactions() < before.maxUniqReactions()
                        || given.stream()
                                .anyMatch(
                                        each ->
                                                now.takes(each.key())
                                                        && !before.takes(each.key())));
    }

    /** Returns the given reactions that newly exclude each other, each pair in both orders. */
    List<ExclusivePair> newPairs(List<GivenKind> given) {
        NamespaceRules now = after;
        if (now == null) {
            return List.of();
        }
        Map<String, Integer> numbers =
                given.stream().collect(Collectors.toMap(GivenKind::key, GivenKind::no));
        var pairs = new ArrayList<ExclusivePair>();
        for (GivenKind each : given) {
            Set<String> already = new HashSet<>(before.excluded(each.key()));
            for (String other : now.excluded(each.key())) {
                Integer no = numbers.get(other);
                if (no != null && !already.contains(other)) {
                    pairs.add(new ExclusivePair(id, each.no(), no));
                }
            }
        }
        return pairs;
    }
}
