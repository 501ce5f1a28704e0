package dev.ovation.audit;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.AuditWalk;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Goes through entities, looks at each, and mends those that are wrong when that is wanted. */
final class Auditor {

    private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);

    private final AuditWalk walk;
    private final Examiner examiner;
    private final Repairs repairs;
    private final AuditMetrics metrics;
    private final Suspects suspects = new Suspects();

    Auditor(AuditWalk walk, Examiner examiner, Repairs repairs, AuditMetrics metrics) {
        this.walk = walk;
        this.examiner = examiner;
        this.repairs = repairs;
        this.metrics = metrics;
    }

    /**
     * What is wanted of one audit.
     *
     * @param walk the walk that it goes on with
     * @param namespace the one it stays within; null for all
     * @param sample how many entities at most
     * @param patience after how long it takes no more of them
     */
    record Order(
            String walk,
            @Nullable String namespace,
            int sample,
            boolean repair,
            Duration patience) {}

    /** An entity that is wrong, and whether it was mended. */
    record Drift(Finding finding, boolean repaired) {}

    /** What one audit did; it grows while it goes on, so that a failure leaves what was done. */
    static final class Report {
        private final Set<EntityKey> seen = new HashSet<>();
        int checked;
        int skipped;
        boolean repairing;
        final List<Drift> drift = new ArrayList<>();
    }

    /** Looks at the entities that were last seen in drift, then at the next ones of a walk. */
    void audit(Order order, Report report) throws InterruptedException {
        List<EntityKey> suspected = suspects.of(order.namespace(), order.sample());
        for (EntityKey key : suspected) {
            look(key, order.repair(), report);
        }
        int more = order.sample() - suspected.size();
        if (more > 0) {
            goOn(order, more, report);
        }
    }

    /** Looks at the next entities of a walk. */
    void goOn(Order order, int limit, Report report) throws InterruptedException {
        long end = System.nanoTime() + order.patience().toNanos();
        EntityKey last = null;
        for (EntityKey key : walk.take(order.walk(), order.namespace(), limit)) {
            if (last != null && System.nanoTime() > end) {
                walk.goOnBehind(order.walk(), last);
                return;
            }
            look(key, order.repair(), report);
            last = key;
        }
    }

    private void look(EntityKey key, boolean repair, Report report) throws InterruptedException {
        if (!report.seen.add(key)) {
            return;
        }
        Finding finding = examiner.examine(key);
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
        report.repairing |= repair;
        boolean repaired = repair && repairs.repair(finding);
        if (repaired) {
            suspects.remove(key);
            metrics.repaired();
        }
        report.drift.add(new Drift(finding, repaired));
    }
}
