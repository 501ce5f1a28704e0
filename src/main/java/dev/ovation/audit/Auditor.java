package dev.ovation.audit;

import dev.ovation.audit.tally.AuditWalk;
import dev.ovation.entity.EntityKey;
import dev.ovation.store.replica.ReplicaPosition;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Walks through entities, audits each one, and repairs drift on request. */
final class Auditor {

    private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);

    private final AuditWalk walk;
    private final EntityExaminer examiner;
    private final Repairs repairs;
    private final AuditMetrics metrics;
    private final DriftingEntities suspects = new DriftingEntities();

    Auditor(AuditWalk walk, EntityExaminer examiner, Repairs repairs, AuditMetrics metrics) {
        this.walk = walk;
        this.examiner = examiner;
        this.repairs = repairs;
        this.metrics = metrics;
    }

    /**
     * A request for an audit.
     *
     * @param walk the walk that it continues
     * @param namespace the only namespace that it audits; null for all
     * @param sample greatest number of entities
     * @param patience time after which it starts no further entity
     * @param pause waits between two entities
     * @param from what a replica must include to be audited in place of the primary, beyond the
     *     greatest age; null for nothing more
     */
    record AuditRequest(
            String walk,
            @Nullable String namespace,
            int sample,
            boolean repair,
            Duration patience,
            AuditPause pause,
            @Nullable ReplicaPosition from) {

        /** Returns the request with the state that a replica must include; null for none. */
        AuditRequest from(@Nullable ReplicaPosition position) {
            return new AuditRequest(walk, namespace, sample, repair, patience, pause, position);
        }
    }

    /** Waits. */
    interface AuditPause {
        void rest(long millis) throws InterruptedException;
    }

    /** An entity in drift, and whether it was repaired. */
    record Drift(EntityAudit finding, boolean repaired) {}

    /**
     * Result of one audit; it grows during the audit, so a failure leaves the part that was done.
     */
    static final class Report {
        private final Set<EntityKey> seen = new HashSet<>();
        int checked;
        int skipped;
        boolean repairing;
        final List<Drift> drift = new ArrayList<>();
    }

    /** Audits the entities that were last found in drift, then the next ones of a walk. */
    void audit(AuditRequest order, Report report) throws InterruptedException {
        long end = end(order);
        List<EntityKey> suspected = suspects.of(order.namespace(), order.sample());
        for (EntityKey key : suspected) {
            if (System.nanoTime() < end) {
                look(key, order, report);
            }
        }
        int more = order.sample() - suspected.size();
        if (more > 0 && System.nanoTime() < end) {
            var _ = goOn(order, more, end, report);
        }
    }

    private static long end(AuditRequest order) {
        return System.nanoTime() + order.patience().toNanos();
    }

    /**
     * Audits the next entities of a walk.
     *
     * @return false when the time was over before
     */
    boolean goOn(AuditRequest order, Report report) throws InterruptedException {
        return goOn(order, order.sample(), end(order), report);
    }

    private boolean goOn(AuditRequest order, int limit, long end, Report report)
            throws InterruptedException {
        List<EntityKey> keys = walk.take(order.walk(), order.namespace(), limit);
        int done = 0;
        try {
            while (done < keys.size() && (done == 0 || System.nanoTime() < end)) {
                look(keys.get(done), order, report);
                done++;
            }
            return done == keys.size();
        } finally {
            if (done > 0 && done < keys.size()) {
                walk.goOnBehind(order.walk(), keys.get(done - 1));
            }
        }
    }

    private void look(EntityKey key, AuditRequest order, Report report)
            throws InterruptedException {
        if (!report.seen.add(key)) {
            return;
        }
        EntityAudit finding =
                suspects.contains(key) // a replica may be older than the drift
                        ? examiner.examine(key, order.pause())
                        : examiner.examineRecent(key, order.pause(), order.from());
        metrics.looked(finding);
        report.checked++;
        report.skipped += finding.decided() ? 0 : 1;
        if (!finding.isDrift()) {
            suspects.remove(key);
            return;
        }
        suspects.add(key);
        LOG.warn(
                "Drift in namespace {}: {}; POST /actuator/audit names the entity",
                key.namespace(),
                finding.differences().stream().map(Difference::what).distinct().toList());
        report.repairing |= order.repair();
        boolean repaired = order.repair() && repairs.repair(finding);
        if (repaired) {
            suspects.remove(key);
            metrics.repaired();
        }
        report.drift.add(new Drift(finding, repaired));
    }
}
