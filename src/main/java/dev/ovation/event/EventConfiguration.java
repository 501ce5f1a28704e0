package dev.ovation.event;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.store.log.LogReader;
import dev.ovation.store.log.LogState;
import dev.ovation.store.postgres.PostgresBulkhead;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the beans of the log of changes. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EventSettings.class)
class EventConfiguration {

    @Bean
    LogEnd logEnd(LogReader reader, PostgresBulkhead gate) {
        return new LogEnd(() -> gate.ask(reader::end));
    }

    @Bean
    EventFeed eventFeed(LogReader reader, LogState state, LogEnd end, PostgresBulkhead gate) {
        return new EventFeed(reader, state, end, gate);
    }

    @Bean
    EventJson eventJson(CurrentRules rules) {
        return new EventJson(rules);
    }

    @Bean
    LogRetention logRetention(LogState state, EventSettings settings) {
        return new LogRetention(state, settings.retention());
    }
}
