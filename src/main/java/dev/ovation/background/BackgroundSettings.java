package dev.ovation.background;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of background work.
 *
 * @param share of one processor that all jobs of all instances take together; above 0, at most 1
 * @param behind how late a job may be before it is said to fall behind
 */
@ConfigurationProperties("ovation.background")
record BackgroundSettings(@DefaultValue("0.05") double share, @DefaultValue("1m") Duration behind) {

    BackgroundSettings {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "ovation.background.share must be above 0 and at most 1, not " + share);
        }
    }
}
