package dev.ovation.erasure;

import dev.ovation.entity.Partitions;
import dev.ovation.hot.HotUserData;
import dev.ovation.hot.state.Fences;
import dev.ovation.job.JobTable;
import dev.ovation.job.JobWorker;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.transfer.staging.StagedRowRemoval;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;

/** Puts erasures together. */
@Configuration(proxyBeanMethods = false)
class ErasureConfiguration {

    @Bean
    UserErasure userErasure(
            JdbcTemplate jdbc,
            StagedRowRemoval staging,
            HotUserData hot,
            PartitionTransactions interventions,
            PlatformTransactionManager transactions,
            Fences fences) {
        return new UserErasure(
                staging,
                new StoredUserData(jdbc),
                new ReactionRemoval(jdbc),
                hot,
                new JobRedaction(jdbc),
                new UserChange(interventions, new Partitions(fences.partitions())),
                new TransactionTemplate(transactions));
    }

    @Bean
    EntityErasure entityErasure(
            JdbcTemplate jdbc,
            StagedRowRemoval staging,
            PartitionTransactions interventions,
            PlatformTransactionManager transactions,
            Fences fences) {
        return new EntityErasure(
                staging,
                new ReactionRemoval(jdbc),
                interventions,
                new TransactionTemplate(transactions),
                new Partitions(fences.partitions()));
    }

    @Bean
    RemovalJobs removalJobs(JobTable jobs, JobWorker worker, PostgresBulkhead gate) {
        return new RemovalJobs(jobs, worker, gate);
    }

    @Bean
    OneReactionRemoval oneReactionRemoval(
            JdbcTemplate jdbc, PartitionTransactions interventions, Fences fences) {
        return new OneReactionRemoval(
                new ReactionRemoval(jdbc), interventions, new Partitions(fences.partitions()));
    }

    @Bean
    BannedReactions bannedReactions(
            JdbcTemplate jdbc,
            PartitionTransactions interventions,
            Fences fences,
            @Value("${ovation.requests.deadline}") Duration deadline) {
        return new BannedReactions(
                new StoredUserData(jdbc),
                new ReactionRemoval(jdbc),
                new UserChange(interventions, new Partitions(fences.partitions())),
                deadline);
    }

    @Bean
    HiddenReactionReturn hiddenReactionReturn(
            JdbcTemplate jdbc, PartitionTransactions interventions, Fences fences) {
        return new HiddenReactionReturn(
                new StoredUserData(jdbc),
                new ReactionRemoval(jdbc),
                new UserChange(interventions, new Partitions(fences.partitions())));
    }
}
