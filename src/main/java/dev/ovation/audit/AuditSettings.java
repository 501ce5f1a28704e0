package dev.ovation.audit;

import dev.ovation.entity.SettingBounds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the auditor.
 *
 * @param rate Entities that all instances together audit in a second; 0: none.
 */
@ConfigurationProperties("ovation.audit")
record AuditSettings(@DefaultValue("10") int rate) {

    AuditSettings {
        SettingBounds.atLeast(0, "ovation.audit.rate", rate);
    }

    /**
     * Constants, bound for tests.
     *
     * @param maxDuration Time that one audit on demand may take; it answers with its results by
     *     then.
     */
    @ConfigurationProperties("ovation.internal.audit")
    record AuditConstants(@DefaultValue("10s") Duration maxDuration) {}
}
