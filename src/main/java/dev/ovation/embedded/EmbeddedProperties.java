package dev.ovation.embedded;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;

/**
 * Settings of the embedded servers.
 *
 * @param directory Data folder of the embedded servers, relative to the working directory.
 * @param postgresPort Port of the embedded Postgres; 0: any free one.
 * @param redisPort Port of the embedded Redis; 0: any free one.
 */
@ConfigurationProperties("ovation.embedded")
record EmbeddedProperties(
        @DefaultValue(".ovation") Path directory,
        @DefaultValue("0") int postgresPort,
        @DefaultValue("0") int redisPort) {

    private static final int LAST_PORT = 65_535;

    EmbeddedProperties {
        check("postgres-port", postgresPort);
        check("redis-port", redisPort);
    }

    private static void check(String name, int port) {
        if (port < 0 || port > LAST_PORT) {
            throw new IllegalArgumentException(
                    "ovation.embedded.%s must lie between 0 and %d, not %d"
                            .formatted(name, LAST_PORT, port));
        }
    }
}
