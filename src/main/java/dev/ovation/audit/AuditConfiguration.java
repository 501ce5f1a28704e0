package dev.ovation.audit;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.hot.Fences;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.RedisLink;
import dev.ovation.hot.ScriptTimes;
import dev.ovation.outbox.Interventions;
import dev.ovation.store.AuditWalk;
import dev.ovation.store.EntityTable;
import dev.ovation.store.Tallies;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the auditor together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuditSettings.class)
class AuditConfiguration {

    @Bean
    Auditor auditor(
            AuditWalk walk,
            Fences fences,
            RedisLink link,
            Tallies tallies,
            EntityTable entities,
            Interventions interventions,
            ScriptTimes times,
            HotSettings settings,
            MeterRegistry registry) {
        var examiner = new Examiner(fences, link, tallies, times, settings);
        var repairs = new Repairs(fences, examiner, interventions, entities, tallies);
        return new Auditor(walk, examiner, repairs, new AuditMetrics(registry));
    }

    @Bean
    AuditJob auditJob(Auditor auditor, AuditSettings settings) {
        return new AuditJob(auditor, settings.rate());
    }

    @Bean
    AuditEndpoint auditEndpoint(Auditor auditor, CurrentRules rules, AuditSettings settings) {
        return new AuditEndpoint(auditor, rules, settings);
    }
}
