package dev.ovation.store;

import dev.ovation.entity.EntityKey;

import java.util.Map;
import java.util.Objects;

/**
 * The numbers that stand for entities and reactions in the tables, as one transaction finds them.
 * None is kept beyond it: a database that was restored to an older copy gives other ones.
 *
 * @param entities of those entities that have a row
 * @param reactions of those reactions that have a number, by key
 */
public record Numbers(Map<EntityKey, EntityNo> entities, Map<String, Integer> reactions) {

    /** The number of an entity: its partition, and the number within that. */
    public record EntityNo(int p, int no) {}

    /**
     * Returns what stands for an entity.
     *
     * @throws NullPointerException when it has no row
     */
    public EntityNo of(EntityKey key) {
        return Objects.requireNonNull(entities.get(key), "the entity has no number");
    }

    /**
     * Returns what stands for a reaction.
     *
     * @throws NullPointerException when it has no number
     */
    public int of(String reaction) {
        return Objects.requireNonNull(reactions.get(reaction), "the reaction has no number");
    }
}
