package dev.ovation.audit;

import dev.ovation.audit.tally.EntityTally;
import dev.ovation.entity.EntityKey;

import java.util.List;
import java.util.stream.Stream;

/**
 * What came of looking at one entity.
 *
 * @param stored what Postgres holds of it
 * @param hotVersion its version in Redis; 0 when it is not there
 * @param inPostgres what is wrong in Postgres
 * @param inRedis what is wrong in Redis
 * @param decided whether Redis could be compared; not while writes to the entity follow on each
 *     other, or wait
 */
record EntityAudit(
        EntityKey key,
        EntityTally stored,
        long hotVersion,
        List<Difference> inPostgres,
        List<Difference> inRedis,
        boolean decided) {

    /** The same, without a word about Redis. */
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
