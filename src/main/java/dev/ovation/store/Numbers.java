package dev.ovation.store;

import dev.ovation.entity.EntityKey;

import java.util.Map;
import java.util.Objects;

/**
 * The numbers of entities and reactions, as one transaction finds them. They are valid in that
 * transaction only: a restored database may give other numbers.
 *
 * @param entities numbers of the entities that have a row
 * @param reactions numbers of the reactions that have one, by key
 */
public record Numbers(Map<EntityKey, EntityNo> entities, Map<String, Integer> reactions) {

    /** The number of an entity: its partition, and the number within that. */
    public record EntityNo(int p, int no) {}

    /**
     * Returns the number of an entity.
     *
     * @throws NullPointerException when the entity has no row
     */
    public EntityNo of(EntityKey key) {
        return Objects.requireNonNull(entities.get(key), "the entity has no number");
    }

    /**
     * Returns the number of a reaction.
     *
     * @throws NullPointerException when the reaction has no number
     */
    public int of(String reaction) {
        return Objects.requireNonNull(reactions.get(reaction), "the reaction has no number");
    }
}
