package dev.ovation.moderation;

import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.store.postgres.PostgresBulkhead;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;

/** Creates the beans of moderation. */
@Configuration(proxyBeanMethods = false)
class ModerationConfiguration {

    @Bean
    Bans bans(JdbcTemplate jdbc, TransactionTemplate transactions, PostgresBulkhead gate) {
        return new Bans(jdbc, transactions, gate);
    }

    @Bean
    EntityLocks entityLocks(
            JdbcTemplate jdbc,
            PartitionTransactions interventions,
            Fences fences,
            @Value("${ovation.internal.moderation.lock-patience:3s}") Duration patience) {
        return new EntityLocks(jdbc, interventions, fences.partitions(), patience);
    }
}
