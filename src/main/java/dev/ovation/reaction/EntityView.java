package dev.ovation.reaction;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What an entity shows.
 *
 * @param version opaque; of two of one entity the greater one is the newer
 * @param counts in the order of the answer
 * @param user whose reactions {@code userReactions} are, or null
 * @param ageSeconds how old the counts may be
 */
record EntityView(
        String entity,
        String version,
        List<ReactionCount> counts,
        @Nullable String user,
        List<String> userReactions,
        long ageSeconds) {}
