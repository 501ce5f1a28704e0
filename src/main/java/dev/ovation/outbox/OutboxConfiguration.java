package dev.ovation.outbox;

import dev.ovation.hot.HotEntities;
import dev.ovation.hot.StaleEpochSweeper;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.outbox.batch.Inbox;
import dev.ovation.outbox.batch.RelayCall;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.recovery.Epochs;
import dev.ovation.outbox.recovery.Recovery;
import dev.ovation.outbox.relay.CommitPublisher;
import dev.ovation.outbox.relay.CycleFailures;
import dev.ovation.outbox.relay.DuePartitions;
import dev.ovation.outbox.relay.OutboxMetrics;
import dev.ovation.outbox.relay.OutboxSettings;
import dev.ovation.outbox.relay.Outboxes;
import dev.ovation.outbox.relay.Relay;
import dev.ovation.outbox.relay.RelayCycle;
import dev.ovation.outbox.watermark.WatermarkTopic;
import dev.ovation.outbox.watermark.WatermarkUpdate;
import dev.ovation.outbox.watermark.Watermarks;
import dev.ovation.store.ConfigurationTable;
import dev.ovation.store.EntityTable;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.ReactionTables;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.RelayFunction;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.postgres.Periods;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.shard.Shards;
import dev.ovation.trace.Tracing;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;

/** Creates the beans of the relay and the recovery. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@EnableConfigurationProperties({
    OutboxSettings.OutboxOptions.class,
    OutboxSettings.OutboxConstants.class
})
class OutboxConfiguration {

    /** Time during which a second relay thread waits for the first. */
    private static final Duration EXCLUSIVE_WINDOW = Duration.ofMillis(20);

    @Bean
    OutboxSettings outboxSettings(
            OutboxSettings.OutboxOptions bound, OutboxSettings.OutboxConstants internal) {
        return new OutboxSettings(bound, internal);
    }

    @Bean
    Watermarks watermarks(Fences fences) {
        return new Watermarks(fences.partitions().count());
    }

    @Bean
    Inbox inbox(Fences fences, HotEntities entities) {
        var inbox = new Inbox(fences.partitions().count());
        entities.onProposed(inbox);
        return inbox;
    }

    @Bean
    OutboxMetrics outboxMetrics(MeterRegistry registry) {
        return new OutboxMetrics(registry);
    }

    @Bean
    Epochs epochs(
            PartitionTable partitions,
            ConfigurationTable configurations,
            TransactionTemplate transactions,
            Shards shards,
            ScriptTimes times,
            HotSettings settings) {
        return new Epochs(
                partitions,
                configurations,
                transactions,
                shards,
                times,
                settings.commandTimeout().toMillis() * 2);
    }

    @Bean
    Recovery recovery(
            RedisServers servers,
            Fences fences,
            Watermarks watermarks,
            PartitionTable partitions,
            RejectedEvents rejections,
            Epochs epochs,
            StaleEpochSweeper sweeper,
            HotSettings settings,
            OutboxMetrics metrics) {
        return new Recovery(
                servers,
                fences,
                watermarks,
                partitions,
                rejections,
                epochs,
                sweeper,
                settings,
                metrics);
    }

    /**
     * Each periodic job has its own thread, so that a job that waits for a server delays no other.
     */
    @Bean
    ThreadPoolTaskScheduler taskScheduler() {
        var scheduler = new ThreadPoolTaskScheduler();
        scheduler.setPoolSize(4);
        scheduler.setThreadNamePrefix("job-");
        return scheduler;
    }

    @Bean
    Outboxes outboxes(
            RedisServers servers,
            Fences fences,
            Watermarks watermarks,
            Inbox inbox,
            HotSettings settings,
            OutboxMetrics metrics,
            ScriptTimes times) {
        return new Outboxes(servers, fences, watermarks, inbox, settings, metrics, times);
    }

    @Bean
    RelayTransaction batch(
            PartitionTable partitions,
            EntityTable entities,
            ReactionTables reactions,
            IdempotencyTable idempotency,
            RejectedEvents rejections,
            ChangeLog log) {
        return new RelayTransaction(partitions, entities, reactions, idempotency, rejections, log);
    }

    @Bean
    WatermarkTopic watermarkTopic(RedisServers servers) {
        return new WatermarkTopic(servers);
    }

    @Bean
    OutboxStart outboxStart(
            Fences fences,
            PartitionTable partitions,
            Shards shards,
            WatermarkTopic topic,
            LettuceConnectionFactory redis) {
        return new OutboxStart(fences, partitions, shards, topic, redis.getDatabase());
    }

    @Bean
    CommitPublisher commitPublisher(
            Fences fences,
            Watermarks watermarks,
            Inbox inbox,
            Recovery recovery,
            Outboxes outboxes,
            WatermarkTopic news,
            OutboxMetrics metrics,
            Failpoints failpoints) {
        return new CommitPublisher(
                fences,
                watermarks,
                inbox,
                recovery::endEpoch,
                outboxes,
                news::publish,
                metrics,
                failpoints);
    }

    @Bean
    RelayCycle pass(
            Outboxes outboxes,
            RelayTransaction batch,
            RelayFunction function,
            Shards shards,
            ChangeLog log,
            TransactionTemplate transactions,
            CommitPublisher publisher,
            OutboxMetrics metrics,
            Failpoints failpoints,
            OutboxSettings settings,
            Tracing tracing) {
        return new RelayCycle(
                outboxes,
                settings.oneCall() ? new RelayCall(function, log::isOpen) : null,
                batch,
                shards,
                transactions,
                publisher,
                metrics,
                failpoints,
                tracing);
    }

    @Bean
    CommittedChanges committedChanges() {
        return new CommittedChanges();
    }

    @Bean
    Relay relay(
            RelayCycle cycle,
            PartitionTable partitions,
            Shards shards,
            Watermarks watermarks,
            Fences fences,
            Outboxes outboxes,
            Recovery recovery,
            WatermarkTopic news,
            CommittedChanges changes,
            OutboxSettings settings,
            OutboxMetrics metrics) {
        var relay =
                new Relay(
                        cycle,
                        new DuePartitions(EXCLUSIVE_WINDOW, shards),
                        new CycleFailures(partitions, metrics),
                        watermarks,
                        fences,
                        outboxes,
                        settings);
        recovery.onAttach(relay::due);
        news.listen(
                one -> take(one, watermarks, relay, changes),
                () -> {
                    relay.allDue();
                    changes.missed();
                });
        return relay;
    }

    private static void take(
            WatermarkUpdate news, Watermarks watermarks, Relay relay, CommittedChanges changes) {
        changes.changed(news.changed());
        if (!watermarks.advance(news.p(), news.epoch(), news.from(), news.to(), news.rejected())) {
            relay.due(news.p());
        }
    }

    @Bean
    CommitWaiter commits(
            Watermarks watermarks,
            Relay relay,
            PartitionTable partitions,
            RejectedEvents rejections,
            PostgresBulkhead gate) {
        return new CommitWaiter(watermarks, relay, partitions, rejections, gate);
    }

    @Bean
    PartitionTransactions interventions(
            Outboxes outboxes,
            RelayTransaction batch,
            RelayCycle cycle,
            CommitPublisher publisher,
            WatermarkTopic topic,
            Recovery recovery,
            EntityTable entities,
            PartitionTable partitions,
            Shards shards,
            TransactionTemplate transactions,
            Failpoints failpoints,
            OutboxSettings settings,
            HotSettings hot) {
        return new PartitionTransactions(
                outboxes,
                batch,
                cycle,
                publisher,
                topic,
                recovery,
                entities,
                partitions,
                shards,
                transactions,
                failpoints,
                settings,
                hot);
    }

    @Bean
    PostgresWatch postgresWatch(
            Watermarks watermarks,
            Recovery recovery,
            Relay relay,
            PartitionTable partitions,
            Shards shards,
            ChangeLog log,
            OutboxMetrics metrics) {
        var watch = new PostgresWatch(partitions, shards, log, watermarks, recovery, relay);
        metrics.postgresUp(() -> watch.downSince().isEmpty());
        return watch;
    }

    @Bean
    RetentionJob oldAnswers(
            JdbcTemplate jdbc,
            TransactionTemplate transactions,
            Shards shards,
            RejectedEvents rejections,
            OutboxSettings settings) {
        return new RetentionJob(
                new Periods(jdbc, transactions, shards, "idempotency"),
                new Periods(jdbc, transactions, shards, "removal"),
                rejections,
                settings);
    }
}
