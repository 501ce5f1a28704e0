package dev.ovation.transfer;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.hot.state.Fences;
import dev.ovation.job.JobTable;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.store.ReactionNames;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.replica.ReplicaReads;
import dev.ovation.store.shard.Shards;
import dev.ovation.transfer.merge.CompareHandler;
import dev.ovation.transfer.merge.ImportHandler;
import dev.ovation.transfer.merge.MergeStatements;
import dev.ovation.transfer.merge.ReactionMerge;
import dev.ovation.transfer.merge.RuleScan;
import dev.ovation.transfer.staging.StagedRowRemoval;
import dev.ovation.transfer.staging.StagingPurge;
import dev.ovation.transfer.staging.StagingTable;
import dev.ovation.transfer.staging.TransferSettings;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import javax.sql.DataSource;

/** Creates the beans of imports and exports. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TransferSettings.class)
class TransferConfiguration {

    @Bean
    StagingTable importRows(JdbcTemplate jdbc, Shards shards) {
        return new StagingTable(jdbc, shards);
    }

    @Bean
    Imports imports(
            JobTable jobs,
            StagingTable rows,
            TransactionTemplate transactions,
            Fences fences,
            CurrentRules rules,
            TransferSettings settings) {
        return new Imports(jobs, rows, transactions, fences.partitions(), rules, settings);
    }

    @Bean
    ImportHandler importWork(
            StagingTable rows,
            JdbcTemplate jdbc,
            Shards shards,
            ReactionNames names,
            ChangeLog log,
            DataSource database,
            TransactionTemplate transactions,
            PartitionTransactions interventions,
            CurrentRules rules,
            TransferSettings settings) {
        return new ImportHandler(
                rows,
                new ReactionMerge(jdbc, names, log, shards),
                new MergeStatements(jdbc, shards),
                new RuleScan(database, transactions, rules, shards),
                interventions,
                transactions,
                settings);
    }

    @Bean
    CompareHandler compareWork(
            DataSource database,
            TransactionTemplate transactions,
            CurrentRules rules,
            Fences fences,
            Shards shards) {
        return new CompareHandler(
                database, transactions, rules, fences.partitions().count(), shards);
    }

    @Bean
    StagedRowRemoval stagedRowRemoval(JdbcTemplate jdbc, Shards shards) {
        return new StagedRowRemoval(jdbc, shards);
    }

    @Bean
    StagingPurge importKeeper(StagingTable rows) {
        return new StagingPurge(rows);
    }

    @Bean
    ExportSource exports(ReplicaReads reads, CurrentRules rules, Shards shards) {
        return new ExportSource(reads, rules, shards);
    }
}
