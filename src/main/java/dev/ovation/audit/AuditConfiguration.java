package dev.ovation.audit;

import dev.ovation.audit.tally.AuditWalk;
import dev.ovation.audit.tally.TallyTable;
import dev.ovation.configuration.CurrentRules;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.store.EntityTable;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.replica.ReadKind;
import dev.ovation.store.replica.ReplicaReads;
import dev.ovation.store.shard.Shards;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the beans of the audit. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({AuditSettings.class, AuditSettings.AuditConstants.class})
class AuditConfiguration {

    @Bean
    Auditor auditor(
            AuditWalk walk,
            Fences fences,
            RedisServers servers,
            TallyTable tallyTable,
            ReplicaReads reads,
            EntityTable entities,
            Shards shards,
            PartitionTransactions interventions,
            ChangeLog log,
            ScriptTimes times,
            HotSettings settings,
            MeterRegistry registry) {
        var examiner =
                new EntityExaminer(
                        fences,
                        servers,
                        tallyTable,
                        reads.reader(ReadKind.AUDIT, jdbc -> new TallyTable(jdbc, shards)),
                        times,
                        settings);
        var repairs = new Repairs(fences, examiner, interventions, entities, tallyTable, log);
        return new Auditor(walk, examiner, repairs, new AuditMetrics(registry));
    }

    @Bean
    AuditJob auditJob(Auditor auditor, AuditSettings settings) {
        return new AuditJob(auditor, settings.rate());
    }

    @Bean
    AuditEndpoint auditEndpoint(
            Auditor auditor,
            CurrentRules rules,
            ReplicaReads reads,
            AuditSettings.AuditConstants settings) {
        return new AuditEndpoint(auditor, rules, reads, settings.maxDuration());
    }
}
