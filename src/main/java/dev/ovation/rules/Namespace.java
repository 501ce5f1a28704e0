package dev.ovation.rules;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A kind of entities that follow the same rules.
 *
 * @param maxUniqReactions number of kinds of reactions that one entity may show; 0 forbids every
 *     addition
 * @param mutuallyExclusiveReactions groups, possibly overlapping, of which one user may have at
 *     most one member on an entity
 * @param maxReactionsPerUser number of reactions of its set that one user may have on an entity;
 *     null for no limit
 */
public record Namespace(
        String id,
        String reactionSetId,
        int maxUniqReactions,
        List<List<String>> mutuallyExclusiveReactions,
        @Nullable Integer maxReactionsPerUser) {

    public Namespace {
        mutuallyExclusiveReactions =
                mutuallyExclusiveReactions.stream().<List<String>>map(List::copyOf).toList();
    }

    /** Creates a namespace without a limit for users. */
    public Namespace(
            String id,
            String reactionSetId,
            int maxUniqReactions,
            List<List<String>> mutuallyExclusiveReactions) {
        this(id, reactionSetId, maxUniqReactions, mutuallyExclusiveReactions, null);
    }
}
