package dev.ovation.reaction.view;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A screen: many entities at once.
 *
 * @param namespace that of the items that do not name their own
 * @param viewer whose view is meant; null for nobody's
 * @param details whether everything known is wanted
 * @param reactors how many of those who reacted last are wanted of each entity
 * @param items in the order of the answer; one entity may be asked for more than once
 */
public record EntityQuery(
        String namespace,
        @Nullable String viewer,
        boolean details,
        int reactors,
        List<Item> items) {

    /** The namespaces of all items, and the query's own. */
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
    public record Item(EntityKey key, @Nullable String version) {

        /** Whether the client has this state. */
        public boolean has(EntityView view) {
            return version != null && version.equals(view.version());
        }

        /** Whether the client has seen a newer state already, or another of the same number. */
        public boolean knowsMoreThan(EntityView view) {
            return version != null && view.isOlderThan(version);
        }
    }
}
