package dev.ovation.reaction.read;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Bounds of the near cache.
 *
 * @param maxAge how old counts without a user may be; 0: none are given
 * @param size entities that are kept
 */
@ConfigurationProperties("ovation.near-cache")
public record NearCacheSettings(
        @DefaultValue("200ms") Duration maxAge, @DefaultValue("20000") int size) {

    public NearCacheSettings {
        if (maxAge.isNegative() || size < 0) {
            throw new IllegalArgumentException("ovation.near-cache: must not be negative");
        }
    }
}
