package dev.ovation.transfer;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.Fences;
import dev.ovation.job.Jobs;
import dev.ovation.outbox.Interventions;
import dev.ovation.store.PostgresGate;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import javax.sql.DataSource;

/** Puts imports and exports together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TransferSettings.class)
class TransferConfiguration {

    @Bean
    ImportRows importRows(JdbcTemplate jdbc) {
        return new ImportRows(jdbc);
    }

    @Bean
    Imports imports(
            Jobs jobs,
            ImportRows rows,
            PlatformTransactionManager transactions,
            Fences fences,
            CurrentRules rules,
            TransferSettings settings) {
        return new Imports(
                jobs,
                rows,
                new TransactionTemplate(transactions),
                new Partitions(fences.partitions()),
                rules,
                settings);
    }

    @Bean
    ImportWork importWork(
            ImportRows rows,
            JdbcTemplate jdbc,
            DataSource database,
            PlatformTransactionManager transactions,
            Interventions interventions,
            CurrentRules rules,
            TransferSettings settings) {
        var template = new TransactionTemplate(transactions);
        return new ImportWork(
                rows,
                new Moves(jdbc),
                new Review(database, template, rules),
                interventions,
                template,
                settings);
    }

    @Bean
    StagedRowRemoval stagedRowRemoval(JdbcTemplate jdbc) {
        return new StagedRowRemoval(jdbc);
    }

    @Bean
    ImportKeeper importKeeper(ImportRows rows) {
        return new ImportKeeper(rows);
    }

    @Bean
    Exports exports(JdbcTemplate jdbc, CurrentRules rules, PostgresGate gate) {
        return new Exports(jdbc, rules, gate);
    }
}
