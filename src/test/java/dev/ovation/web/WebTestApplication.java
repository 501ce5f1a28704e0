package dev.ovation.web;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/** The module web alone, with no database and no Redis, for tests through real HTTP. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        exclude = {
            DataSourceAutoConfiguration.class,
            DataRedisAutoConfiguration.class,
            FlywayAutoConfiguration.class
        })
@ComponentScan("dev.ovation.web")
public class WebTestApplication {}
