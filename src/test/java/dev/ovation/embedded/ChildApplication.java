package dev.ovation.embedded;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

import javax.sql.DataSource;

/** A service with only the embedded servers, which tests start and kill as a process. */
@ImportAutoConfiguration({
    EmbeddedAutoConfiguration.class,
    EmbeddedPostgresAutoConfiguration.class,
    EmbeddedRedisAutoConfiguration.class,
    DataSourceAutoConfiguration.class,
    DataRedisAutoConfiguration.class
})
class ChildApplication {

    public static void main(String[] args) {
        var application = new SpringApplication(ChildApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setKeepAlive(true);
        application.run(args);
    }

    /** Writes both addresses into the data folder in one step. */
    @Bean
    ApplicationRunner ready(
            JdbcConnectionDetails postgres,
            DataRedisConnectionDetails redis,
            EmbeddedProperties properties) {
        return _ -> {
            String addresses = postgres.getJdbcUrl() + "\n" + redis.getStandalone().getPort();
            Path file = Files.writeString(properties.directory().resolve("ready.new"), addresses);
            Files.move(file, properties.directory().resolve("ready"));
        };
    }

    /** Simulates a draining relay: uses both servers once more while the context closes. */
    @Bean
    SmartLifecycle drain(
            DataSource postgres, RedisConnectionFactory redis, EmbeddedProperties properties) {
        return new SmartLifecycle() {
            private boolean running;

            @Override
            public void start() {
                running = true;
            }

            @Override
            public void stop() {
                running = false;
                try (var connection = postgres.getConnection();
                        var statement = connection.createStatement();
                        var commands = redis.getConnection()) {
                    statement.execute("create table if not exists drained ()");
                    Files.writeString(properties.directory().resolve("drained"), commands.ping());
                } catch (IOException | SQLException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public boolean isRunning() {
                return running;
            }
        };
    }
}
