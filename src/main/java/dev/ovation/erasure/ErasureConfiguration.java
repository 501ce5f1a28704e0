package dev.ovation.erasure;

import dev.ovation.erasure.removal.ReactionRemoval;
import dev.ovation.erasure.removal.ReactionReturn;
import dev.ovation.hot.HotUserData;
import dev.ovation.hot.state.Fences;
import dev.ovation.job.JobTable;
import dev.ovation.job.JobWorker;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.shard.Shards;
import dev.ovation.transfer.staging.StagedRowRemoval;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;

/** Puts erasures together. */
@Configuration(proxyBeanMethods = false)
class ErasureConfiguration {

    @Bean
    UserErasure userErasure(
            JdbcTemplate jdbc,
            Shards shards,
            ChangeLog log,
            StagedRowRemoval staging,
            HotUserData hot,
            JobTable jobs,
            PartitionTransactions interventions,
            TransactionTemplate transactions,
            Fences fences) {
        return new UserErasure(
                staging,
                new StoredUserData(jdbc, shards),
                new ReactionRemoval(jdbc, log, shards),
                hot,
                jobs,
                new JobRedaction(jdbc),
                new LoggedUserData(jdbc, log, shards),
                new UserChange(interventions, fences.partitions()),
                transactions);
    }

    @Bean
    EntityErasure entityErasure(
            JdbcTemplate jdbc,
            Shards shards,
            ChangeLog log,
            StagedRowRemoval staging,
            PartitionTransactions interventions,
            TransactionTemplate transactions,
            Fences fences) {
        return new EntityErasure(
                staging,
                new ReactionRemoval(jdbc, log, shards),
                interventions,
                shards,
                transactions,
                fences.partitions());
    }

    @Bean
    RemovalJobs removalJobs(JobTable jobs, JobWorker worker, PostgresBulkhead gate) {
        return new RemovalJobs(jobs, worker, gate);
    }

    @Bean
    OneReactionRemoval oneReactionRemoval(
            JdbcTemplate jdbc,
            Shards shards,
            ChangeLog log,
            PartitionTransactions interventions,
            Fences fences) {
        return new OneReactionRemoval(
                new ReactionRemoval(jdbc, log, shards), interventions, fences.partitions());
    }

    @Bean
    BannedReactions bannedReactions(
            JdbcTemplate jdbc,
            Shards shards,
            ChangeLog log,
            PartitionTransactions interventions,
            Fences fences,
            @Value("${ovation.requests.deadline}") Duration deadline) {
        return new BannedReactions(
                new StoredUserData(jdbc, shards),
                new ReactionRemoval(jdbc, log, shards),
                new UserChange(interventions, fences.partitions()),
                deadline);
    }

    @Bean
    HiddenReactionReturn hiddenReactionReturn(
            JdbcTemplate jdbc,
            Shards shards,
            ChangeLog log,
            PartitionTransactions interventions,
            Fences fences) {
        return new HiddenReactionReturn(
                new StoredUserData(jdbc, shards),
                new ReactionReturn(jdbc, log, shards),
                new UserChange(interventions, fences.partitions()));
    }
}
