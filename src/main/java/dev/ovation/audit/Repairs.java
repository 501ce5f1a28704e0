package dev.ovation.audit;

import dev.ovation.audit.tally.EntityTally.Rows;
import dev.ovation.audit.tally.TallyTable;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Ids;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.outbox.PartitionTransactions.Changed;
import dev.ovation.outbox.UnsettledException;
import dev.ovation.store.EntityTable;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.EntityTable.EntityStep;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Repairs an entity, as a relay: the user reactions are right, the counters become their sums, and
 * the entity gets a new version and op, whatever was wrong. So no proposal on the wrong state is
 * applied, the hot copy is removed, and a client that remembers the wrong version does not take it
 * for the right one.
 */
final class Repairs {

    private static final Logger LOG = LoggerFactory.getLogger(Repairs.class);
    private static final int TRIES = 5;
    private static final long PAUSE_MILLIS = 20;
    private static final Duration ATTACH = Duration.ofSeconds(2);

    /** Rows that may be counted while the partition is locked. */
    private static final long COUNTED_UNDER_LOCK = 100_000;

    /** A version beyond which Redis cannot count was never given to anybody. */
    private static final long GREATEST_VERSION = 1L << 52;

    private final Partitions partitions;
    private final Fences fences;
    private final EntityExaminer examiner;
    private final PartitionTransactions interventions;
    private final EntityTable entities;
    private final TallyTable tallyTable;

    Repairs(
            Fences fences,
            EntityExaminer examiner,
            PartitionTransactions interventions,
            EntityTable entities,
            TallyTable tallyTable) {
        this.partitions = new Partitions(fences.partitions());
        this.fences = fences;
        this.examiner = examiner;
        this.interventions = interventions;
        this.entities = entities;
        this.tallyTable = tallyTable;
    }

    /**
     * Mends what was found.
     *
     * @return whether the entity is right now
     */
    boolean repair(EntityAudit found) throws InterruptedException {
        int p = partitions.of(found.key());
        var finding = found;
        for (int i = 0; i < TRIES && finding.isDrift(); i++) {
            var current = finding;
            try {
                if (!interventions.execute(p, () -> change(current))) {
                    Thread.sleep(PAUSE_MILLIS);
                }
            } catch (UnsettledException e) {
                LOG.debug("The repair is made, and a slow relay has not told of it", e);
            }
            fences.await(p, ATTACH);
            finding = examiner.examine(found.key(), Thread::sleep);
        }
        return !finding.isDrift();
    }

    /** Under the lock of the partition. */
    private List<Changed> change(EntityAudit finding) {
        EntityKey key = finding.key();
        var stored = tallyTable.head(key);
        Map<String, Rows> rows = finding.stored().rows();
        if (stored == null || !stored.equals(finding.stored().head())) {
            if (finding.stored().total() > COUNTED_UNDER_LOCK) {
                return List.of(); // changed since it was counted: that is to be tried again
            }
            rows = tallyTable.rows(key);
        }
        EntityHead before =
                stored == null ? EntityHead.NONE : new EntityHead(stored.version(), stored.op());
        EntityHead after = new EntityHead(next(before, finding), UniqueNames.next());
        tallyTable.store(key, rows);
        entities.advance(
                List.of(
                        new EntityStep(
                                partitions.of(key), key, before, after, lastAt(stored, rows))));
        LOG.warn(
                "Repairing {}/{}: {}; version {} becomes {} with {}",
                key.namespace(),
                Ids.printable(key.entity()),
                Ids.printable(finding.differences().toString()),
                before.version(),
                after.version(),
                Ids.printable(counts(rows).toString()));
        return List.of(new Changed(key, after.op()));
    }

    /** Greater than every version that anybody was shown. */
    private static long next(EntityHead before, EntityAudit finding) {
        long hot = finding.hotVersion();
        return Math.max(before.version(), hot < GREATEST_VERSION ? hot : 0) + 1;
    }

    private static long lastAt(
            dev.ovation.audit.tally.EntityTally.@Nullable TallyHead stored,
            Map<String, Rows> rows) {
        long last = stored == null ? 0 : stored.lastAt();
        for (Rows some : rows.values()) {
            last = Math.max(last, some.lastAt());
        }
        return last;
    }

    private static Map<String, Long> counts(Map<String, Rows> rows) {
        var counts = new TreeMap<String, Long>();
        rows.forEach((reaction, some) -> counts.put(reaction, some.count()));
        return counts;
    }
}
