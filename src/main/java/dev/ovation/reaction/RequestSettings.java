package dev.ovation.reaction;

import dev.ovation.entity.SettingBounds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Bounds of requests.
 *
 * @param reads Reads at the same time; the next one is refused at once.
 * @param writes Writes at the same time; the next one is refused at once.
 * @param deadline Time that a write may take before its outcome is reported as unknown.
 */
@ConfigurationProperties("ovation.requests")
record RequestSettings(
        @DefaultValue("5000") int reads,
        @DefaultValue("2000") int writes,
        @DefaultValue("5s") Duration deadline) {

    RequestSettings {
        SettingBounds.atLeast(1, "ovation.requests.reads", reads);
        SettingBounds.atLeast(1, "ovation.requests.writes", writes);
        SettingBounds.atLeastOneMilli("ovation.requests.deadline", deadline);
    }

    /**
     * Constants, bound for tests.
     *
     * @param attach Time that a write waits for its partition to be attached.
     */
    @ConfigurationProperties("ovation.internal.requests")
    record RequestConstants(@DefaultValue(ATTACH) Duration attach) {

        /** Default of {@code ovation.internal.requests.attach}. */
        static final String ATTACH = "2s";
    }
}
