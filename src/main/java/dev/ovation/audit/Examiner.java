package dev.ovation.audit;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.Fence;
import dev.ovation.hot.Fences;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.RedisLink;
import dev.ovation.hot.RedisUnavailableException;
import dev.ovation.hot.ScriptTimes;
import dev.ovation.hot.script.InspectScript;
import dev.ovation.hot.script.InspectScript.Reply;
import dev.ovation.store.Tallies;
import dev.ovation.store.Tally;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks at one entity, without a lock, while others write. Postgres is judged by one snapshot.
 * Redis is compared with it when both hold the same state, version and op. When they do not, that
 * alone is no drift: the copy in Redis must not have moved before and after the snapshot, nothing
 * of it may wait, and everything applied by then must be acknowledged. And what is wrong in Redis
 * must be so twice, because another writer may just be telling it of a commit.
 */
final class Examiner {

    private static final int TRIES = 10;

    /** What takes so long to count is counted less often. */
    private static final long CROWD = 20_000;

    private static final int CROWD_TRIES = 2;

    private static final long PAUSE_MILLIS = 20;

    private final Partitions partitions;
    private final Fences fences;
    private final RedisLink link;
    private final Tallies tallies;
    private final ScriptTimes times;
    private final InspectScript script = new InspectScript();
    private final long timeoutMillis;

    Examiner(
            Fences fences,
            RedisLink link,
            Tallies tallies,
            ScriptTimes times,
            HotSettings settings) {
        this.partitions = new Partitions(fences.partitions());
        this.fences = fences;
        this.link = link;
        this.tallies = tallies;
        this.times = times;
        this.timeoutMillis = settings.commandTimeout().toMillis() * 2;
    }

    /**
     * Looks at an entity.
     *
     * @throws RedisUnavailableException when Redis cannot be asked
     * @throws org.springframework.dao.DataAccessException when Postgres cannot
     */
    Finding examine(EntityKey key) throws InterruptedException {
        Finding finding = look(key);
        boolean seenBefore = false;
        for (int i = 1; i < (finding.stored().total() > CROWD ? CROWD_TRIES : TRIES); i++) {
            if (finding.decided() && (finding.inRedis().isEmpty() || seenBefore)) {
                return finding;
            }
            seenBefore = finding.decided();
            Thread.sleep(PAUSE_MILLIS);
            finding = look(key);
        }
        return finding.decided() && seenBefore ? finding : finding.undecided();
    }

    private Finding look(EntityKey key) throws InterruptedException {
        int p = partitions.of(key);
        Fence fence = fences.of(p);
        if (fence == null) {
            throw new RedisUnavailableException("the partition is not attached");
        }
        HotCopy before = copy(p, fence, key);
        Tally tally = tallies.read(p, key, before.users().keySet());
        var inPostgres = Comparison.postgres(tally);
        var inRedis = Comparison.redisAlone(before);
        boolean decided = true;
        if (before.hasCounts() && inRedis.isEmpty()) {
            if (Comparison.isSameState(tally, before)) {
                inRedis = Comparison.redis(tally, before);
            } else if (isSettled(tally, before, copy(p, fence, key))) {
                inRedis = List.of(Comparison.otherState(tally, before));
            } else {
                decided = false;
            }
        }
        return new Finding(key, tally, before.version(), inPostgres, inRedis, decided);
    }

    private static boolean isSettled(Tally tally, HotCopy before, HotCopy after) {
        return !before.isAhead()
                && before.seen().counts().equals(after.seen().counts())
                && tally.epoch() == after.epoch()
                && tally.applied() <= after.seen().acked();
    }

    private HotCopy copy(int p, Fence fence, EntityKey key) throws InterruptedException {
        try {
            Reply reply =
                    times.timed("inspect", script.execute(link.requests(), p, fence, key))
                            .get(timeoutMillis, TimeUnit.MILLISECONDS);
            if (reply instanceof Reply.Seen seen) {
                return new HotCopy(fence.epoch(), seen);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new RedisUnavailableException("Redis does not answer: " + e.getMessage());
        }
        fences.lose(p, fence);
        throw new RedisUnavailableException("the partition is not attached any more");
    }
}
