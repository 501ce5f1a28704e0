package dev.ovation.embedded;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;

/**
 * Settings of the embedded servers.
 *
 * @param directory their data folder, relative to the working directory
 * @param postgresPort 0: any free one
 * @param redisPort 0: any free one
 */
@ConfigurationProperties("ovation.embedded")
record EmbeddedProperties(
        @DefaultValue(".ovation") Path directory,
        @DefaultValue("0") int postgresPort,
        @DefaultValue("0") int redisPort) {}
