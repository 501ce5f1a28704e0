package dev.ovation.rules.constraint;

import java.util.Set;

/**
 * A constraint that CEL has checked, as a program for {@code constraints.lua}.
 *
 * @param program flags and tokens, separated by U+001F; no user's text is code
 * @param judgesRemovals whether taking back is judged: the expression mentions {@code op} or {@code
 *     removed}
 * @param usesTimesOfUsers whether it needs the time of the user's last reaction
 * @param attributes names of the attributes that it reads
 * @param reactions keys of the reactions that it names
 * @param cost greatest number of steps of an evaluation, for lists of usual size
 */
public record CompiledConstraint(
        String program,
        boolean judgesRemovals,
        boolean usesTimesOfUsers,
        Set<String> attributes,
        Set<String> reactions,
        long cost) {

    public CompiledConstraint {
        attributes = Set.copyOf(attributes);
        reactions = Set.copyOf(reactions);
    }
}
