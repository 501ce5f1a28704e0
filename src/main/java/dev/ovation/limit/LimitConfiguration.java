package dev.ovation.limit;

import io.github.bucket4j.TimeMeter;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the limits together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({LimitSettings.class, LimitSettings.LimitConstants.class})
class LimitConfiguration {

    @Bean
    Refusals refusals(MeterRegistry registry) {
        return new Refusals(registry);
    }

    @Bean
    RateLimits rateLimits(LimitSettings settings, Refusals refusals) {
        return new RateLimits(settings.rates(), refusals, TimeMeter.SYSTEM_NANOTIME);
    }

    @Bean
    TransferBulkheads transferBulkheads(LimitSettings.LimitConstants settings, Refusals refusals) {
        return new TransferBulkheads(
                new CallerBulkhead("imports", settings.imports(), refusals),
                new CallerBulkhead("exports", settings.exports(), refusals));
    }
}
