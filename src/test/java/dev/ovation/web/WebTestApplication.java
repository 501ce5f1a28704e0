package dev.ovation.web;

import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.guard.Unlimited;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.PropertySource;

/**
 * The module web alone, without database and Redis, for tests over real HTTP. It has no stereotype,
 * so that the component scans of tests of the whole service ignore it.
 */
@EnableAutoConfiguration(
        exclude = {
            DataSourceAutoConfiguration.class,
            DataRedisAutoConfiguration.class,
            FlywayAutoConfiguration.class
        },
        excludeName = {
            "dev.ovation.embedded.EmbeddedAutoConfiguration",
            "dev.ovation.embedded.EmbeddedPostgresAutoConfiguration",
            "dev.ovation.embedded.EmbeddedRedisAutoConfiguration"
        })
@PropertySource("classpath:dev/ovation/web/alone.properties")
@ComponentScan("dev.ovation.web")
public class WebTestApplication {

    /** Sets no limits: the module of limits is not part of this application. */
    @Bean
    RateLimiter unlimited() {
        return new Unlimited();
    }
}
