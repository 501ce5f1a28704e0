package dev.ovation.store;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Duration;

/** Puts together what bounds the use of Postgres. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(StoreConfiguration.Settings.class)
class StoreConfiguration {

    /**
     * Settings of the use of Postgres by requests.
     *
     * @param running questions at the same time; must leave connections of the pool to the relay
     * @param waiting questions that may wait or run
     * @param patience how long one may wait
     */
    @ConfigurationProperties("ovation.postgres")
    record Settings(
            @DefaultValue("12") int running,
            @DefaultValue("500") int waiting,
            @DefaultValue("1s") Duration patience) {}

    @Bean
    PostgresGate postgresGate(Settings settings) {
        return new PostgresGate(settings.running(), settings.waiting(), settings.patience());
    }
}
