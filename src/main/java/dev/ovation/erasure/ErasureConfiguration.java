package dev.ovation.erasure;

import dev.ovation.entity.Partitions;
import dev.ovation.hot.Fences;
import dev.ovation.hot.UserTraces;
import dev.ovation.outbox.Interventions;
import dev.ovation.transfer.StagedRowRemoval;

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
            StagedRowRemoval staging,
            UserTraces hot,
            Interventions interventions,
            PlatformTransactionManager transactions,
            Fences fences) {
        return new UserErasure(
                staging,
                new Traces(jdbc),
                new Removals(jdbc),
                hot,
                new JobRedaction(jdbc),
                interventions,
                new TransactionTemplate(transactions),
                new Partitions(fences.partitions()));
    }

    @Bean
    EntityErasure entityErasure(
            JdbcTemplate jdbc,
            StagedRowRemoval staging,
            Interventions interventions,
            PlatformTransactionManager transactions,
            Fences fences) {
        return new EntityErasure(
                staging,
                new Removals(jdbc),
                interventions,
                new TransactionTemplate(transactions),
                new Partitions(fences.partitions()));
    }
}
