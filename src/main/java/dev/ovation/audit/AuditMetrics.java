package dev.ovation.audit;

import dev.ovation.audit.Difference.Store;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** The metrics of the auditor. */
final class AuditMetrics {

    private final Counter checked;
    private final Counter skipped;
    private final Counter repaired;
    private final Counter wrongInPostgres;
    private final Counter wrongInRedis;

    AuditMetrics(MeterRegistry registry) {
        checked =
                Counter.builder("ovation.audit.checked")
                        .description("Entities that were looked at")
                        .register(registry);
        skipped =
                Counter.builder("ovation.audit.skipped")
                        .description("Those of them whose hot state moved too much to be compared")
                        .register(registry);
        repaired =
                Counter.builder("ovation.audit.repaired")
                        .description("Entities that were repaired")
                        .register(registry);
        wrongInPostgres = drift(Store.POSTGRES, registry);
        wrongInRedis = drift(Store.REDIS, registry);
    }

    private static Counter drift(Store store, MeterRegistry registry) {
        return Counter.builder("ovation.audit.drift")
                .description("Entities found in drift, by the store that is wrong")
                .tag("store", store.label())
                .register(registry);
    }

    void looked(EntityAudit finding) {
        checked.increment();
        if (!finding.decided()) {
            skipped.increment();
        }
        if (!finding.inPostgres().isEmpty()) {
            wrongInPostgres.increment();
        }
        if (!finding.inRedis().isEmpty()) {
            wrongInRedis.increment();
        }
    }

    void repaired() {
        repaired.increment();
    }
}
