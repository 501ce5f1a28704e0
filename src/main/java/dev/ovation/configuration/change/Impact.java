package dev.ovation.configuration.change;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One effect of a change of the configuration on the stored reactions of a namespace. Reactions
 * that a ban hides are not counted.
 *
 * @param kind {@code retired-reaction}, {@code over-limit}, {@code newly-exclusive} or {@code
 *     namespace-removed}
 * @param reactionId the retired reaction; null for other kinds
 * @param entities number of affected entities
 * @param users number of users whose reactions exclude each other; null for other kinds
 * @param reactions number of affected reactions; those on the entities that are over the limit
 * @param exact whether the numbers are counted; otherwise they are estimated from a sample
 */
public record Impact(
        String namespaceId,
        String kind,
        @Nullable String reactionId,
        long entities,
        @Nullable Long users,
        long reactions,
        boolean exact) {

    static final String RETIRED = "retired-reaction";
    static final String OVER_LIMIT = "over-limit";
    static final String EXCLUSIVE = "newly-exclusive";
    static final String REMOVED = "namespace-removed";

    /** Returns whether the namespace would vanish with its reactions. */
    public boolean losesNamespace() {
        return kind.equals(REMOVED);
    }

    /** Returns the members of an answer. */
    public Map<String, Object> json() {
        var json = new LinkedHashMap<String, Object>();
        json.put("namespace_id", namespaceId);
        json.put("kind", kind);
        if (reactionId != null) {
            json.put("reaction_id", reactionId);
        }
        json.put("entities", entities);
        if (users != null) {
            json.put("users", users);
        }
        json.put("reactions", reactions);
        json.put("exact", exact);
        return json;
    }
}
