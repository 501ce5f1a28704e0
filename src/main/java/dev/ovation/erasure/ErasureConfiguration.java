package dev.ovation.erasure;

import dev.ovation.entity.Partitions;
import dev.ovation.hot.Fences;
import dev.ovation.hot.UserTraces;
import dev.ovation.job.Jobs;
import dev.ovation.outbox.Interventions;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Puts erasures together. */
@Configuration(proxyBeanMethods = false)
class ErasureConfiguration {

    @Bean
    UserErasure userErasure(
            JdbcTemplate jdbc,
            UserTraces hot,
            Jobs jobs,
            Interventions interventions,
            PlatformTransactionManager transactions,
            Fences fences) {
        return new UserErasure(
                new Staging(jdbc),
                new Traces(jdbc),
                new Removals(jdbc),
                hot,
                jobs,
                interventions,
                new TransactionTemplate(transactions),
                new Partitions(fences.partitions()));
    }

    @Bean
    EntityErasure entityErasure(
            JdbcTemplate jdbc,
            Interventions interventions,
            PlatformTransactionManager transactions,
            Fences fences) {
        return new EntityErasure(
                new Staging(jdbc),
                new Removals(jdbc),
                interventions,
                new TransactionTemplate(transactions),
                new Partitions(fences.partitions()));
    }
}
