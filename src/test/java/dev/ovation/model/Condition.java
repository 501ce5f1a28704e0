package dev.ovation.model;

import dev.ovation.model.ReferenceModel.Entity;

import java.util.List;

/**
 * A constraint of a namespace, in CEL for the service and in Java for the model.
 *
 * @param judgesRemovals whether the expression mentions removals: only then is a change without an
 *     addition judged
 */
record Condition(String id, String expression, boolean judgesRemovals, Judge judge) {

    /**
     * A change that the built-in rules allow.
     *
     * @param own the user's reactions on the entity before the change
     * @param entity the entity before the change
     */
    record Change(
            String op, List<String> own, List<String> added, List<String> removed, Entity entity) {

        int more() {
            return added.size() - removed.size();
        }
    }

    /** Returns whether a change is allowed. */
    @FunctionalInterface
    interface Judge {
        boolean allows(Change change);
    }

    boolean allows(Change change) {
        return (change.added.isEmpty() && !judgesRemovals) || judge.allows(change);
    }

    /** Limits the reactions of a user on an entity to a number. */
    static Condition each(int most) {
        return new Condition(
                "each",
                "size(user.reactions) + size(added) - size(removed) <= " + most,
                true,
                change -> change.own.size() + change.more() <= most);
    }

    /** Limits the reactions on an entity to a number. */
    static Condition total(int most) {
        return new Condition(
                "total",
                "entity.total + size(added) - size(removed) <= " + most,
                true,
                change -> change.entity.rows().size() + change.more() <= most);
    }

    /** A reaction only beside another kind. */
    static Condition notFirst(String reaction) {
        return new Condition(
                "not-first",
                "!('%s' in added) || entity.kinds >= 1".formatted(reaction),
                false,
                change -> !change.added.contains(reaction) || !change.entity.kinds().isEmpty());
    }

    /**
     * A reaction only where another one is; the count of a missing one is an error, which refuses.
     */
    static Condition after(String reaction, String other) {
        return new Condition(
                "after",
                "entity.counts['%s'] >= 1 || !('%s' in added)".formatted(other, reaction),
                false,
                change -> !change.added.contains(reaction) || change.entity.count(other) >= 1);
    }

    /** A reaction that a removal does not take back; a replacement does. */
    static Condition lasting(String reaction) {
        return new Condition(
                "lasting",
                "op != 'remove' || !('%s' in removed)".formatted(reaction),
                true,
                change -> !change.op.equals("remove") || !change.removed.contains(reaction));
    }
}
