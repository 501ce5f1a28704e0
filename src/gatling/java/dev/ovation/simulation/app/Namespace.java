package dev.ovation.simulation.app;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The rules of a namespace, as the service returned them.
 *
 * @param reactions ids that may be added, by adults at least
 * @param forAdults those of them that only adults may add
 * @param limit greatest number of distinct reactions of an entity
 * @param exclusive groups of which a user has one at most
 * @param isConstrained whether it has constraints of its own, which may refuse an addition
 * @param countsLag whether counts may be older than the user's own reactions beside them
 */
public record Namespace(
        String id,
        List<String> reactions,
        Set<String> forAdults,
        int limit,
        List<List<String>> exclusive,
        boolean isConstrained,
        boolean countsLag) {

    /** The reactions that a user cannot have together with this one. */
    Set<String> excludedBy(String reaction) {
        var excluded = new LinkedHashSet<String>();
        exclusive.stream().filter(group -> group.contains(reaction)).forEach(excluded::addAll);
        excluded.remove(reaction);
        return excluded;
    }
}
