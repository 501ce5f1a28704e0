package dev.ovation.event;

import dev.ovation.entity.SettingBounds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the log of changes.
 *
 * @param retention Time that changes are kept for consumers, and that they are logged after the
 *     last read.
 */
@ConfigurationProperties("ovation.events")
public record EventSettings(@DefaultValue("7d") Duration retention) {

    public EventSettings {
        SettingBounds.atLeastOneMilli("ovation.events.retention", retention);
    }
}
