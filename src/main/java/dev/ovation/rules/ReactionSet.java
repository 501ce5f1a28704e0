package dev.ovation.rules;

import java.util.List;

/** Reactions that can be used together, in the order in which they are shown. */
public record ReactionSet(String id, List<String> reactionIds) {

    public ReactionSet {
        reactionIds = List.copyOf(reactionIds);
    }
}
