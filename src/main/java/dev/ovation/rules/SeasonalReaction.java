package dev.ovation.rules;

/**
 * A reaction that was added to a reaction set beside the lists of the configuration. A replacement
 * of these lists keeps it. It has no effect while the lists lack its set or define its reaction.
 */
public record SeasonalReaction(String reactionSetId, ReactionDefinition reaction) {

    /** Returns the key of the reaction. */
    public String key() {
        return ReactionKey.of(reaction.id());
    }

    /** Returns whether it is this reaction of this set. */
    public boolean is(String setId, String key) {
        return reactionSetId.equals(setId) && key().equals(key);
    }
}
