package dev.ovation.configuration.change;

/**
 * A reaction that users have given in a namespace.
 *
 * @param no its number in Postgres
 * @param entities number of entities that have it
 * @param reactions number of times that it is given
 */
record GivenKind(String namespace, String key, int no, long entities, long reactions) {

    /** Adds the same kind of another shard. */
    GivenKind plus(GivenKind other) {
        return new GivenKind(
                namespace, key, no, entities + other.entities, reactions + other.reactions);
    }
}
