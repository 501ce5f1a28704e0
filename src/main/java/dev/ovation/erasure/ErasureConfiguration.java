package dev.ovation.erasure;

import dev.ovation.hot.HotUserData;
import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.transfer.staging.StagedRowRemoval;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Puts erasures together. */
@Configuration(proxyBeanMethods = false)
class ErasureConfiguration {

    @Bean
    UserErasure userErasure(
            JdbcTemplate jdbc,
            ChangeLog log,
            StagedRowRemoval staging,
            HotUserData hot,
            PartitionTransactions interventions,
            TransactionTemplate transactions,
            Fences fences) {
        return new UserErasure(
                staging,
                new StoredUserData(jdbc),
                new ReactionRemoval(jdbc, log),
                hot,
                new JobRedaction(jdbc),
                new LoggedUserData(jdbc, log),
                interventions,
                transactions,
                fences.partitions());
    }

    @Bean
    EntityErasure entityErasure(
            JdbcTemplate jdbc,
            ChangeLog log,
            StagedRowRemoval staging,
            PartitionTransactions interventions,
            TransactionTemplate transactions,
            Fences fences) {
        return new EntityErasure(
                staging,
                new ReactionRemoval(jdbc, log),
                interventions,
                transactions,
                fences.partitions());
    }
}
