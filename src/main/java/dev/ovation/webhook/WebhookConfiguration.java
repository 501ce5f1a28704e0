package dev.ovation.webhook;

import dev.ovation.event.EventJson;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.log.LogReader;
import dev.ovation.store.log.LogState;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.shard.Shards;
import dev.ovation.webhook.send.WebhookSender;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import javax.net.ssl.SSLSocketFactory;

/** Creates the beans of webhooks. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({WebhookSettings.class, WebhookSettings.WebhookConstants.class})
class WebhookConfiguration {

    @Bean
    WebhookMetrics webhookMetrics(MeterRegistry registry) {
        return new WebhookMetrics(registry);
    }

    @Bean
    WebhookTable webhookTable(JdbcTemplate jdbc, TransactionTemplate transactions, Shards shards) {
        return new WebhookTable(jdbc, transactions, shards);
    }

    @Bean
    Delivery webhookDelivery(
            WebhookTable webhooks,
            LogReader reader,
            EventJson json,
            PartitionTable partitions,
            WebhookSettings settings,
            WebhookSettings.WebhookConstants internal,
            WebhookMetrics metrics) {
        return new Delivery(
                webhooks,
                reader,
                new CloudEvents(json, () -> "urn:ovation:" + partitions.deployment()),
                new WebhookSender(
                        settings.allowPrivate(),
                        internal.timeout(),
                        (SSLSocketFactory) SSLSocketFactory.getDefault()),
                internal,
                metrics);
    }

    @Bean
    WebhookWorker webhookWorker(
            WebhookTable webhooks,
            Delivery delivery,
            WebhookMetrics metrics,
            WebhookSettings.WebhookConstants settings) {
        return new WebhookWorker(webhooks, delivery, metrics, settings);
    }

    @Bean
    Webhooks webhooks(
            WebhookTable table,
            JdbcTemplate jdbc,
            Delivery delivery,
            LogReader reader,
            LogState state,
            PostgresBulkhead gate) {
        return new Webhooks(table, new DeadLetters(jdbc), delivery, reader, state, gate);
    }
}
