package dev.ovation.audit;

import dev.ovation.audit.Auditor.Pause;
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
import dev.ovation.store.Tallies.Reading;
import dev.ovation.store.Tally;
import dev.ovation.store.Tally.Place;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks at one entity, without a lock, while others write. Postgres is judged by one snapshot.
 * Redis is compared with it when both hold the same state, version and op. When they do not, that
 * alone is no drift: the copy in Redis must not have moved before and after the snapshot, nothing
 * of it may wait, and everything applied by then must be acknowledged. And what is wrong in Redis
 * must be so twice, because another writer may just be telling it of a commit. Where they stand is
 * compared first, and what an entity holds is counted only where that can be judged: else each try
 * at one that is written all the time would read all that it has.
 */
final class Examiner {

    private static final int TRIES = 10;

    /** What takes so long to count is counted no more often than it takes to find it wrong. */
    private static final long CROWD = 20_000;

    private static final int CROWD_COUNTS = 2;

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
    Finding examine(EntityKey key, Pause pause) throws InterruptedException {
        Finding counted = null;
        boolean wrongBefore = false;
        int counts = 0;
        for (int i = 0; i < TRIES && !(counts == CROWD_COUNTS && isCrowd(counted)); i++) {
            if (i > 0) {
                pause.rest(PAUSE_MILLIS);
            }
            Finding finding = look(key);
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

    private static boolean isCrowd(@Nullable Finding counted) {
        return counted != null && counted.stored().total() > CROWD;
    }

    /** Returns null, and counts nothing, when Redis cannot be compared now. */
    private @Nullable Finding look(EntityKey key) throws InterruptedException {
        int p = partitions.of(key);
        Fence fence = fence(p);
        HotCopy before = copy(p, fence, key);
        var users = before.users().keySet();
        var inRedis = Comparison.redisAlone(before);
        boolean comparable = before.hasCounts() && inRedis.isEmpty();
        Reading read =
                tallies.read(
                        p,
                        key,
                        users,
                        place -> !comparable || Comparison.isSameState(place, before));
        Tally tally = read.tally();
        if (tally == null) {
            if (!isSettled(read.place(), before, copy(p, fence, key))) {
                return null;
            }
            inRedis = List.of(Comparison.otherState(read.place(), before));
            tally = tallies.count(p, key, users);
        } else if (comparable) {
            inRedis = Comparison.redis(tally, before);
        }
        return finding(tally, before, key, inRedis, true);
    }

    private Finding withoutRedis(EntityKey key) throws InterruptedException {
        int p = partitions.of(key);
        HotCopy hot = copy(p, fence(p), key);
        return finding(tallies.count(p, key, Set.of()), hot, key, List.of(), false);
    }

    private static Finding finding(
            Tally tally, HotCopy hot, EntityKey key, List<Difference> inRedis, boolean decided) {
        var inPostgres = Comparison.postgres(tally);
        return new Finding(key, tally, hot.version(), inPostgres, inRedis, decided);
    }

    private Fence fence(int p) {
        Fence fence = fences.of(p);
        if (fence == null) {
            throw new RedisUnavailableException("the partition is not attached");
        }
        return fence;
    }

    private static boolean isSettled(Place place, HotCopy before, HotCopy after) {
        return !before.isAhead()
                && before.seen().counts().equals(after.seen().counts())
                && place.epoch() == after.epoch()
                && place.applied() <= after.seen().acked();
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
