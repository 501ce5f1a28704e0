package dev.ovation.bench;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Set;

/**
 * A Postgres and a Redis for a benchmark: the durable embedded servers of the service, in the
 * folder of the setting {@code ovation.embedded.directory}, which also contains their passwords.
 * Prints their addresses, one a line, and stops them at SIGTERM.
 */
final class Servers {

    private static final String EMBEDDED = "dev.ovation.embedded.Embedded";

    private Servers() {}

    public static void main(String... settings) throws InterruptedException {
        var application = new SpringApplication();
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setSources(
                Set.of(
                        EMBEDDED + "AutoConfiguration",
                        EMBEDDED + "PostgresAutoConfiguration",
                        EMBEDDED + "RedisAutoConfiguration"));
        var context = application.run(settings);
        var redis = context.getBean(DataRedisConnectionDetails.class).getStandalone();
        IO.println("postgres " + context.getBean(JdbcConnectionDetails.class).getJdbcUrl());
        IO.println("redis redis://" + redis.getHost() + ":" + redis.getPort());
        Thread.currentThread().join();
    }

    /** Connects to a database of that Postgres; its password is in the environment. */
    static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(
                url, "postgres", System.getenv("SPRING_DATASOURCE_PASSWORD"));
    }
}
