package dev.ovation.audit;

import dev.ovation.audit.Auditor.AuditPause;
import dev.ovation.audit.tally.EntityTally;
import dev.ovation.audit.tally.EntityTally.PartitionPosition;
import dev.ovation.audit.tally.TallyTable;
import dev.ovation.audit.tally.TallyTable.TallyReading;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.script.InspectScript;
import dev.ovation.hot.script.InspectScript.Reply;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.store.replica.ReplicaPosition;
import dev.ovation.store.replica.ReplicaReader;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Audits one entity, without a lock, during writes. Postgres is judged by one snapshot. Redis is
 * compared with it when both hold the same version and op. Different states alone are no drift: the
 * copy in Redis must be the same before and after the snapshot, no event of it may wait, and every
 * event applied by then must be acknowledged. A difference in Redis must be seen twice, because
 * another writer may just acknowledge a commit. The states are compared first, and the reactions
 * are counted only where the states can be judged: otherwise each try at an entity under constant
 * writes would read all its reactions.
 *
 * <p>A replica may count in place of the primary: counters equal rows in each of its snapshots, and
 * an equal version and op prove that Redis has the state that was counted. It finds entities
 * without drift only. The primary decides about all others, because a replica shows an earlier
 * state.
 */
final class EntityExaminer {

    private static final int TRIES = 10;

    /** Reactions above which an entity is counted at most {@value #CROWD_COUNTS} times. */
    private static final long CROWD = 20_000;

    private static final int CROWD_COUNTS = 2;

    private static final long PAUSE_MILLIS = 20;

    private final Partitions partitions;
    private final Fences fences;
    private final RedisServers servers;
    private final TallyTable tallyTable;
    private final ReplicaReader<TallyTable> tallies;
    private final ScriptTimes times;
    private final InspectScript script = new InspectScript();
    private final long timeoutMillis;

    EntityExaminer(
            Fences fences,
            RedisServers servers,
            TallyTable tallyTable,
            ReplicaReader<TallyTable> tallies,
            ScriptTimes times,
            HotSettings settings) {
        this.partitions = fences.partitions();
        this.fences = fences;
        this.servers = servers;
        this.tallyTable = tallyTable;
        this.tallies = tallies;
        this.times = times;
        this.timeoutMillis = settings.commandTimeout().toMillis() * 2;
    }

    /**
     * Audits an entity, on a replica if that shows it without drift.
     *
     * @param from what the replica must include beyond the greatest age; null for nothing more
     * @throws RedisUnavailableException when Redis does not answer
     * @throws org.springframework.dao.DataAccessException when Postgres does not answer
     */
    EntityAudit examineRecent(EntityKey key, AuditPause pause, @Nullable ReplicaPosition from)
            throws InterruptedException {
        if (!tallies.hasReplica()) {
            return examine(key, pause);
        }
        int p = partitions.of(key);
        HotCopy hot = copy(p, fence(p), key);
        Optional<EntityAudit> clean =
                Comparison.redisAlone(hot).isEmpty()
                        ? tallies.settled(from, table -> clean(table, p, key, hot))
                        : Optional.empty();
        return clean.isPresent() ? clean.get() : examine(key, pause);
    }

    private static Optional<EntityAudit> clean(
            TallyTable table, int p, EntityKey key, HotCopy hot) {
        EntityTally tally =
                table.read(
                                p,
                                key,
                                hot.users().keySet(),
                                place -> !hot.hasCounts() || Comparison.isSameState(place, hot))
                        .tally();
        if (tally == null) {
            return Optional.empty();
        }
        var inRedis = hot.hasCounts() ? Comparison.redis(tally, hot) : List.<Difference>of();
        return Optional.of(finding(tally, hot, key, inRedis, true))
                .filter(finding -> !finding.isDrift());
    }

    /**
     * Audits an entity on the primary.
     *
     * @throws RedisUnavailableException when Redis does not answer
     * @throws org.springframework.dao.DataAccessException when Postgres does not answer
     */
    EntityAudit examine(EntityKey key, AuditPause pause) throws InterruptedException {
        EntityAudit counted = null;
        boolean wrongBefore = false;
        int counts = 0;
        for (int i = 0; i < TRIES && !(counts == CROWD_COUNTS && isCrowd(counted)); i++) {
            if (i > 0) {
                pause.rest(PAUSE_MILLIS);
            }
            EntityAudit finding = look(key);
            if (finding == null) {
                wrongBefore = false;
                continue;
            }
            if (finding.inRedis().isEmpty() || wrongBefore) {
                return finding;
            }
            wrongBefore = true;
            counted = finding;
            counts++;
        }
        return counted == null ? withoutRedis(key) : counted.undecided();
    }

    private static boolean isCrowd(@Nullable EntityAudit counted) {
        return counted != null && counted.stored().total() > CROWD;
    }

    /** Returns null, and counts nothing, when Redis cannot be compared now. */
    private @Nullable EntityAudit look(EntityKey key) throws InterruptedException {
        int p = partitions.of(key);
        Fence fence = fence(p);
        HotCopy before = copy(p, fence, key);
        var users = before.users().keySet();
        var inRedis = Comparison.redisAlone(before);
        boolean comparable = before.hasCounts() && inRedis.isEmpty();
        TallyReading read =
                tallyTable.read(
                        p,
                        key,
                        users,
                        place -> !comparable || Comparison.isSameState(place, before));
        EntityTally tally = read.tally();
        if (tally == null) {
            if (!isSettled(read.place(), before, copy(p, fence, key))) {
                return null;
            }
            inRedis = List.of(Comparison.otherState(read.place(), before));
            tally = tallyTable.count(p, key, users);
        } else if (comparable) {
            inRedis = Comparison.redis(tally, before);
        }
        return finding(tally, before, key, inRedis, true);
    }

    private EntityAudit withoutRedis(EntityKey key) throws InterruptedException {
        int p = partitions.of(key);
        HotCopy hot = copy(p, fence(p), key);
        return finding(tallyTable.count(p, key, Set.of()), hot, key, List.of(), false);
    }

    private static EntityAudit finding(
            EntityTally tally,
            HotCopy hot,
            EntityKey key,
            List<Difference> inRedis,
            boolean decided) {
        var inPostgres = Comparison.postgres(tally);
        return new EntityAudit(key, tally, hot.version(), inPostgres, inRedis, decided);
    }

    private Fence fence(int p) {
        Fence fence = fences.of(p);
        if (fence == null) {
            throw new RedisUnavailableException("the partition is not attached");
        }
        return fence;
    }

    private static boolean isSettled(PartitionPosition place, HotCopy before, HotCopy after) {
        return !before.isAhead()
                && before.seen().counts().equals(after.seen().counts())
                && place.epoch() == after.epoch()
                && place.applied() <= after.seen().acked();
    }

    private HotCopy copy(int p, Fence fence, EntityKey key) throws InterruptedException {
        try {
            Reply reply =
                    times.timed("inspect", script.execute(servers.of(p).requests(), p, fence, key))
                            .get(timeoutMillis, TimeUnit.MILLISECONDS);
            if (reply instanceof Reply.InspectedState seen) {
                return new HotCopy(fence.epoch(), seen);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new RedisUnavailableException("Redis does not answer: " + e.getMessage());
        }
        fences.lose(p, fence);
        throw new RedisUnavailableException("the partition is not attached any more");
    }
}
