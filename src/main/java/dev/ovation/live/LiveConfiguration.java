package dev.ovation.live;

import dev.ovation.outbox.CommittedChanges;
import dev.ovation.reaction.CommittedViews;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the beans of streams. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({LiveSettings.class, LiveSettings.LiveConstants.class})
class LiveConfiguration {

    @Bean
    Watchers watchers(
            CommittedViews views,
            CommittedChanges announced,
            MeterRegistry registry,
            LiveSettings settings,
            LiveSettings.LiveConstants times) {
        var watched = new WatchedEntities();
        var changes = new ChangeLoop(watched, views, times.interval(), times.check());
        announced.listen(changes::changed, changes::missed);
        return new Watchers(watched, views, changes, registry, settings, times);
    }
}
