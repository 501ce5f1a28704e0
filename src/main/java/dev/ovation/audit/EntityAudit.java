package dev.ovation.audit;

import dev.ovation.audit.tally.EntityTally;
import dev.ovation.entity.EntityKey;

import java.util.List;
import java.util.stream.Stream;

/**
 * Result of the audit of one entity.
 *
 * @param stored state in Postgres
 * @param hotVersion version in Redis; 0 when Redis lacks the entity
 * @param inPostgres differences in Postgres
 * @param inRedis differences in Redis
 * @param decided whether Redis could be compared; false while writes to the entity follow each
 *     other, or wait for their commits
 */
record EntityAudit(
        EntityKey key,
        EntityTally stored,
        long hotVersion,
        List<Difference> inPostgres,
        List<Difference> inRedis,
        boolean decided) {

    /** Returns the same result without the comparison of Redis. */
    EntityAudit undecided() {
        return new EntityAudit(key, stored, hotVersion, inPostgres, List.of(), false);
    }

    boolean isDrift() {
        return !inPostgres.isEmpty() || !inRedis.isEmpty();
    }

    List<Difference> differences() {
        return Stream.concat(inPostgres.stream(), inRedis.stream()).toList();
    }
}
