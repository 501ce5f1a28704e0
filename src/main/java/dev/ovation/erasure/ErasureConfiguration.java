package dev.ovation.erasure;

import dev.ovation.entity.Partitions;
import dev.ovation.hot.Fences;
import dev.ovation.hot.UserTraces;
import dev.ovation.job.Jobs;
import dev.ovation.job.Work;
import dev.ovation.outbox.Interventions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.Set;
import java.util.stream.Collectors;

/** Puts erasures together. */
@Configuration(proxyBeanMethods = false)
class ErasureConfiguration {

    @Bean
    Staging staging(JdbcTemplate jdbc, ObjectProvider<Work> works) {
        return new Staging(jdbc, () -> kindsOfPairs(works));
    }

    private static Set<String> kindsOfPairs(ObjectProvider<Work> works) {
        return works.stream()
                .flatMap(work -> work.kindsOfPairs().stream())
                .collect(Collectors.toSet());
    }

    @Bean
    UserErasure userErasure(
            JdbcTemplate jdbc,
            Staging staging,
            UserTraces hot,
            Jobs jobs,
            Interventions interventions,
            PlatformTransactionManager transactions,
            Fences fences) {
        return new UserErasure(
                staging,
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
            Staging staging,
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
