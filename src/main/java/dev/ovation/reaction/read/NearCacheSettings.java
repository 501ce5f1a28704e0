package dev.ovation.reaction.read;

import dev.ovation.entity.SettingBounds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Setting of the near cache.
 *
 * @param maxAge Greatest age of counts without a user; 0: no cache.
 */
@ConfigurationProperties("ovation.near-cache")
public record NearCacheSettings(@DefaultValue("200ms") Duration maxAge) {

    public NearCacheSettings {
        SettingBounds.atLeast(0, "ovation.near-cache.max-age", maxAge.toNanos());
    }
}
