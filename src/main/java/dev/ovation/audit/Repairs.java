package dev.ovation.audit;

import dev.ovation.audit.tally.EntityTally.CountedRows;
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
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.log.ChangeLog.ChangedCounter;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Repairs an entity, as a relay does. The user reactions count as correct, the counters become
 * their sums, the people become their users, and the entity gets a new version and op in any case.
 * So no proposal on the wrong state is applied, the hot copy is removed, and no client mistakes the
 * wrong version for the new one.
 */
final class Repairs {

    private static final Logger LOG = LoggerFactory.getLogger(Repairs.class);
    private static final int TRIES = 5;
    private static final long PAUSE_MILLIS = 20;
    private static final Duration ATTACH = Duration.ofSeconds(2);

    /** Rows that may be counted while the partition is locked. */
    private static final long COUNTED_UNDER_LOCK = 100_000;

    /** The greatest version that Redis can count; no state has had a greater one. */
    private static final long GREATEST_VERSION = 1L << 52;

    private final Partitions partitions;
    private final Fences fences;
    private final EntityExaminer examiner;
    private final PartitionTransactions interventions;
    private final EntityTable entities;
    private final TallyTable tallyTable;
    private final ChangeLog log;

    Repairs(
            Fences fences,
            EntityExaminer examiner,
            PartitionTransactions interventions,
            EntityTable entities,
            TallyTable tallyTable,
            ChangeLog log) {
        this.partitions = fences.partitions();
        this.fences = fences;
        this.examiner = examiner;
        this.interventions = interventions;
        this.entities = entities;
        this.tallyTable = tallyTable;
        this.log = log;
    }

    /**
     * Repairs an entity.
     *
     * @return whether the entity is consistent now, and its repair, if there was one, announced
     */
    boolean repair(EntityAudit found) throws InterruptedException {
        int p = partitions.of(found.key());
        var finding = found;
        boolean settled = true;
        for (int i = 0; i < TRIES && (!settled || finding.isDrift()); i++) {
            var current = finding;
            try {
                boolean made =
                        settled
                                ? interventions.execute(p, () -> change(current))
                                : interventions.acknowledgeAgain(p, List.of(found.key()));
                settled |= made;
                if (!made) {
                    Thread.sleep(PAUSE_MILLIS);
                }
            } catch (UnsettledException e) {
                settled = false;
                LOG.debug("The repair is committed, and reads may not show it yet", e);
            }
            fences.await(p, ATTACH);
            finding = examiner.examine(found.key(), Thread::sleep);
        }
        return settled && !finding.isDrift();
    }

    /** Runs under the lock of the partition. */
    private List<Changed> change(EntityAudit finding) {
        EntityKey key = finding.key();
        var stored = tallyTable.head(key);
        CountedRows counted = finding.stored().counted();
        if (stored == null || !stored.equals(finding.stored().head())) {
            if (finding.stored().total() > COUNTED_UNDER_LOCK) {
                return List.of(); // changed since the count: to be tried again
            }
            counted = tallyTable.rows(key);
        }
        EntityHead before =
                stored == null ? EntityHead.NONE : new EntityHead(stored.version(), stored.op());
        EntityHead after = new EntityHead(next(before, finding), op(before, counted.rows()));
        tallyTable.store(key, counted);
        entities.advance(
                List.of(
                        new EntityStep(
                                partitions.of(key),
                                key,
                                before,
                                after,
                                lastAt(stored, counted.rows()))));
        log(key, finding, counted.rows());
        LOG.warn(
                "Repairing {}/{}: {}; version {} becomes {} with {}",
                key.namespace(),
                Ids.printable(key.entity()),
                Ids.printable(finding.differences().toString()),
                before.version(),
                after.version(),
                Ids.printable(counts(counted.rows()).toString()));
        return List.of(new Changed(key, after.op()));
    }

    /** Writes the counters of the repair to the log of changes. */
    private void log(EntityKey key, EntityAudit finding, Map<String, Rows> rows) {
        Set<String> reactions = new TreeSet<>(rows.keySet());
        reactions.addAll(finding.stored().counters().keySet());
        var numbers = entities.find(List.of(key), reactions).numbers();
        var entity = numbers.of(key);
        log.appendExclusive(
                false,
                null,
                numbers.reactions().values().stream()
                        .map(no -> new ChangedCounter(entity.p(), entity.no(), no))
                        .toList());
    }

    /** Returns a version greater than every version that a client was shown. */
    private static long next(EntityHead before, EntityAudit finding) {
        long hot = finding.hotVersion();
        return Math.max(before.version(), hot < GREATEST_VERSION ? hot : 0) + 1;
    }

    /** Returns a new op, which shows whether there ever was a reaction, as far as it is known. */
    private static String op(EntityHead before, Map<String, Rows> rows) {
        boolean unreacted = before.version() == 0 || before.op().startsWith(UniqueNames.UNREACTED);
        return (unreacted && rows.isEmpty() ? UniqueNames.UNREACTED : "") + UniqueNames.next();
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
