package dev.ovation.reaction.view;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A screen: many entities at once.
 *
 * @param namespace namespace of the items that do not name their own
 * @param viewer user whose own reactions the answer shows; null for none
 * @param details whether the answer has all details
 * @param reactors newest reactors of each entity in the answer
 * @param people the people of each entity in the answer; null for none
 * @param items in the order of the answer; one entity may occur more than once
 */
public record EntityQuery(
        String namespace,
        @Nullable String viewer,
        boolean details,
        int reactors,
        @Nullable PeopleQuery people,
        List<ScreenItem> items) {

    /** Returns the namespaces of all items, and the query's own. */
    public Set<String> namespaces() {
        Set<String> namespaces = new LinkedHashSet<>();
        namespaces.add(namespace);
        items.forEach(item -> namespaces.add(item.key().namespace()));
        return namespaces;
    }

    /**
     * One entity of a screen.
     *
     * @param version the version that the client has, or null
     */
    public record ScreenItem(EntityKey key, @Nullable String version) {

        /** Returns whether the client has this state. */
        public boolean has(EntityView view) {
            return version != null && version.equals(view.version());
        }

        /**
         * Returns whether the client has a newer state already, or another state of the same
         * number.
         */
        public boolean knowsMoreThan(EntityView view) {
            return version != null && view.isOlderThan(version);
        }
    }
}
