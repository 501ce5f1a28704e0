package dev.ovation.web;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.PropertySource;

/**
 * The module web alone, with no database and no Redis, for tests through real HTTP. Without a
 * stereotype, so that tests of the whole service, which scan these packages, pass it over.
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
public class WebTestApplication {}
