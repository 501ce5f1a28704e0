package dev.ovation.embedded;

import dev.ovation.embedded.server.DataFolder;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Creates the data folder, which both embedded servers share. */
@AutoConfiguration
@EnableConfigurationProperties(EmbeddedProperties.class)
class EmbeddedAutoConfiguration {

    @Bean
    static AddressCheck embeddedAddressCheck(Environment environment) {
        return new AddressCheck(environment);
    }

    // Lazy: not created when both servers are external.
    @Bean
    @Lazy
    DataFolder embeddedDataFolder(EmbeddedProperties properties) {
        return DataFolder.take(properties.directory());
    }
}
