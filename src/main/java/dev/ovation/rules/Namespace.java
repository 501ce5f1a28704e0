package dev.ovation.rules;

import java.util.List;

/**
 * A kind of entities that follow the same rules.
 *
 * @param maxUniqReactions number of kinds of reactions that one entity may show; 0 forbids every
 *     addition
 * @param mutuallyExclusiveReactions groups, possibly overlapping, of which one user may have at
 *     most one member on an entity
 */
public record Namespace(
        String id,
        String reactionSetId,
        int maxUniqReactions,
        List<List<String>> mutuallyExclusiveReactions) {

    public Namespace {
        mutuallyExclusiveReactions =
                mutuallyExclusiveReactions.stream().<List<String>>map(List::copyOf).toList();
    }
}
