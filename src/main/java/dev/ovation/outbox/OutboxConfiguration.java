package dev.ovation.outbox;

import dev.ovation.hot.Failpoints;
import dev.ovation.hot.Fences;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.OldMarks;
import dev.ovation.hot.RedisLink;
import dev.ovation.hot.ScriptTimes;
import dev.ovation.outbox.batch.Batch;
import dev.ovation.outbox.cursor.CursorNews;
import dev.ovation.outbox.cursor.Cursors;
import dev.ovation.outbox.cursor.NewsChannel;
import dev.ovation.store.ConfigurationTable;
import dev.ovation.store.EntityTable;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.ReactionTables;
import dev.ovation.store.RejectedEvents;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Puts the relay and the recovery together. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@EnableConfigurationProperties(OutboxSettings.class)
class OutboxConfiguration {

    @Bean
    Cursors cursors(Fences fences, PartitionTable partitions) {
        partitions.initialise(fences.partitions());
        return new Cursors(fences.partitions());
    }

    @Bean
    OutboxMetrics outboxMetrics(MeterRegistry registry) {
        return new OutboxMetrics(registry);
    }

    @Bean
    Epochs epochs(
            RedisLink link,
            PartitionTable partitions,
            ConfigurationTable configurations,
            PlatformTransactionManager transactions,
            ScriptTimes times,
            HotSettings settings) {
        return new Epochs(
                link,
                partitions,
                configurations,
                new TransactionTemplate(transactions),
                times,
                settings.commandTimeout().toMillis() * 2);
    }

    @Bean
    Recovery recovery(
            RedisLink link,
            Fences fences,
            Cursors cursors,
            PartitionTable partitions,
            RejectedEvents rejections,
            Epochs epochs,
            OldMarks oldMarks,
            HotSettings settings,
            OutboxMetrics metrics) {
        return new Recovery(
                link, fences, cursors, partitions, rejections, epochs, oldMarks, settings, metrics);
    }

    /** Each periodic job has a thread to hang on: one that waits for a server holds up no other. */
    @Bean
    ThreadPoolTaskScheduler taskScheduler() {
        var scheduler = new ThreadPoolTaskScheduler();
        scheduler.setPoolSize(3);
        scheduler.setThreadNamePrefix("job-");
        return scheduler;
    }

    @Bean
    Outboxes outboxes(
            RedisLink link,
            Fences fences,
            Cursors cursors,
            HotSettings settings,
            OutboxMetrics metrics,
            ScriptTimes times) {
        return new Outboxes(link, fences, cursors, settings, metrics, times);
    }

    @Bean
    Batch batch(
            PartitionTable partitions,
            EntityTable entities,
            ReactionTables reactions,
            IdempotencyTable idempotency,
            RejectedEvents rejections) {
        return new Batch(partitions, entities, reactions, idempotency, rejections);
    }

    @Bean
    NewsChannel newsChannel(
            RedisLink link, PartitionTable partitions, LettuceConnectionFactory redis) {
        return new NewsChannel(link, partitions.deployment() + ":" + redis.getDatabase());
    }

    @Bean
    Telling telling(
            Fences fences,
            Cursors cursors,
            Recovery recovery,
            Outboxes outboxes,
            NewsChannel news,
            OutboxMetrics metrics,
            Failpoints failpoints) {
        return new Telling(
                fences,
                cursors,
                recovery::endEpoch,
                outboxes::acknowledge,
                news::publish,
                metrics,
                failpoints);
    }

    @Bean
    Pass pass(
            Outboxes outboxes,
            Batch batch,
            PlatformTransactionManager transactions,
            Telling telling,
            OutboxMetrics metrics,
            Failpoints failpoints) {
        return new Pass(
                outboxes,
                batch,
                new TransactionTemplate(transactions),
                telling,
                metrics,
                failpoints);
    }

    @Bean
    Relay relay(
            Pass pass,
            PartitionTable partitions,
            Cursors cursors,
            Fences fences,
            Outboxes outboxes,
            Recovery recovery,
            NewsChannel news,
            OutboxSettings settings,
            OutboxMetrics metrics) {
        var relay =
                new Relay(
                        pass,
                        new Due(settings.alone()),
                        new Failures(partitions, metrics),
                        cursors,
                        fences,
                        outboxes,
                        settings);
        recovery.onAttach(relay::due);
        news.listen(one -> take(one, cursors, relay), relay::allDue);
        return relay;
    }

    private static void take(CursorNews news, Cursors cursors, Relay relay) {
        if (!cursors.advance(news.p(), news.epoch(), news.from(), news.to(), news.rejected())) {
            relay.due(news.p());
        }
    }

    @Bean
    Commits commits(
            Cursors cursors,
            Relay relay,
            PartitionTable partitions,
            RejectedEvents rejections,
            PostgresGate gate) {
        return new Commits(cursors, relay, partitions, rejections, gate);
    }

    @Bean
    Interventions interventions(
            Outboxes outboxes,
            Batch batch,
            Pass pass,
            Telling telling,
            Recovery recovery,
            EntityTable entities,
            PlatformTransactionManager transactions,
            Failpoints failpoints,
            OutboxSettings settings,
            HotSettings hot) {
        return new Interventions(
                outboxes,
                batch,
                pass,
                telling,
                recovery,
                entities,
                new TransactionTemplate(transactions),
                failpoints,
                settings,
                hot);
    }

    @Bean
    PostgresWatch postgresWatch(
            Cursors cursors,
            Recovery recovery,
            Relay relay,
            PartitionTable partitions,
            OutboxMetrics metrics) {
        var watch = new PostgresWatch(partitions, cursors, recovery, relay);
        metrics.watch(watch);
        return watch;
    }

    @Bean
    OldAnswers oldAnswers(
            IdempotencyTable idempotency, RejectedEvents rejections, OutboxSettings settings) {
        return new OldAnswers(idempotency, rejections, settings);
    }
}
