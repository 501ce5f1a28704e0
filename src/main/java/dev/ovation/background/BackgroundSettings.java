package dev.ovation.background;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of background work.
 *
 * @param share Part of one processor that the background jobs of all instances take together; above
 *     0, at most 1.
 */
@ConfigurationProperties("ovation.background")
record BackgroundSettings(@DefaultValue("0.05") double share) {

    BackgroundSettings {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "ovation.background.share must be above 0 and at most 1, not " + share);
        }
    }
}
