package dev.ovation.entity;

/**
 * Names an entity (a post, a video, a message).
 *
 * @param namespace its namespace, never with a colon
 * @param entity its id within the namespace
 */
public record EntityKey(String namespace, String entity) implements Comparable<EntityKey> {

    @Override
    public int compareTo(EntityKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : entity.compareTo(other.entity);
    }
}
