package dev.ovation.moderation;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.outbox.PartitionTransactions.Changed;
import dev.ovation.outbox.UnsettledException;
import dev.ovation.store.EntityTable;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Duration;
import java.util.List;

/**
 * Column {@code lock} of table {@code entity}. A change gives the entity a new state: so proposals
 * on the state before are rejected, and Redis loads the entity with its lock.
 */
final class EntityLocks {

    private static final Duration SOON = Duration.ofSeconds(1);
    private static final long PAUSE_MILLIS = 10;

    /**
     * The inserted op has the prefix, and {@code substr} takes it off. Citus allows no subquery,
     * nor a parameter, behind {@code on conflict}.
     */
    private static final String CHANGE =
            """
            with given as (
                select ?::smallint as p, ?::text as namespace, ?::text as entity,
                       ?::text as lock, ?::bigint as leap, ?::text as op,
                       ?::text as unreacted)
            insert into entity as e (p, no, namespace, entity, version, last_op, last_at, lock)
            select g.p,
                   (select coalesce(max(no), 0) + 1 from entity o where o.p = g.p /*on o.p*/),
                   g.namespace, g.entity, g.leap, g.unreacted || g.op, 0, g.lock
            from   given g
            where  g.lock is not null
            or     exists (select from entity o
                           where  o.namespace = g.namespace and o.entity = g.entity
                           and    o.p = g.p /*on o.p*/)
            on conflict (namespace, entity, p) do update
            set    version = e.version + excluded.version,
                   last_op = %s || substr(excluded.last_op, %d),
                   lock    = excluded.lock
            where  e.lock is distinct from excluded.lock
            returning last_op
            """
                    .formatted(
                            EntityTable.prefixOfNextOp(UniqueNames.UNREACTED),
                            UniqueNames.UNREACTED.length() + 1);

    private final JdbcTemplate jdbc;
    private final PartitionTransactions interventions;
    private final Partitions partitions;
    private final Duration patience;

    /**
     * Creates it.
     *
     * @param patience time to wait for a busy partition; bound for tests
     */
    EntityLocks(
            JdbcTemplate jdbc,
            PartitionTransactions interventions,
            Partitions partitions,
            Duration patience) {
        this.jdbc = jdbc;
        this.interventions = interventions;
        this.partitions = partitions;
        this.patience = patience;
    }

    /**
     * Locks an entity, or unlocks it.
     *
     * @param passing keys of the reactions that the lock lets pass; null to unlock
     * @throws dev.ovation.web.problem.ProblemException 503 when the partition is not available
     */
    void set(EntityKey key, @Nullable List<String> passing) {
        String lock =
                passing == null
                        ? null
                        : RedisSchema.PART
                                + String.join(RedisSchema.PART, passing)
                                + RedisSchema.PART;
        int p = partitions.of(key);
        boolean made = false;
        for (long end = System.nanoTime() + patience.toNanos(); System.nanoTime() - end < 0; ) {
            try {
                made = made || interventions.execute(p, () -> change(p, key, lock));
                if (made) {
                    return;
                }
                Thread.sleep(PAUSE_MILLIS);
            } catch (UnsettledException e) { // the repetition acknowledges and announces it again
                throw Problems.outcomeUnknown(
                        "the lock is stored, and reads may not show it yet; repeat the request",
                        SOON);
            } catch (RedisUnavailableException e) {
                throw Problems.unavailable("nothing was changed: Redis cannot be used", SOON)
                        .because(e);
            } catch (DataAccessException e) {
                throw Problems.outcomeUnknown("Postgres did not confirm the lock", SOON).because(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw Problems.unavailable("nothing was changed: the partition is busy", SOON);
    }

    private List<Changed> change(int p, EntityKey key, @Nullable String lock) {
        List<Changed> changed =
                jdbc.query(
                        Narrowed.sql(CHANGE),
                        (row, _) -> new Changed(key, row.getString(1)),
                        p,
                        key.namespace(),
                        key.entity(),
                        lock,
                        interventions.leap(),
                        UniqueNames.next(),
                        UniqueNames.UNREACTED);
        if (!changed.isEmpty()) {
            return changed;
        }
        // An earlier request may have stored the lock without an acknowledgement to Redis.
        return jdbc.query(
                "select last_op from entity where namespace = ? and entity = ? and p = ?",
                (row, _) -> new Changed(key, row.getString(1)),
                key.namespace(),
                key.entity(),
                p);
    }
}
