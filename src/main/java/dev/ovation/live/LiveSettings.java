package dev.ovation.live;

import dev.ovation.entity.SettingBounds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Bound of streams.
 *
 * @param watchers Streams of one instance at the same time; the next one is refused.
 */
@ConfigurationProperties("ovation.live")
record LiveSettings(@DefaultValue("10000") int watchers) {

    LiveSettings {
        SettingBounds.atLeast(1, "ovation.live.watchers", watchers);
    }

    /**
     * Constants, bound for tests.
     *
     * @param interval Least time between two changes of one entity on a stream.
     * @param check Time between two checks of credentials, and of watched states for changes that
     *     nothing announced.
     * @param heartbeat Silence after which a stream gets a comment.
     * @param longest Time after which a stream ends, so that clients spread over instances again.
     */
    @ConfigurationProperties("ovation.internal.live")
    record LiveConstants(
            @DefaultValue("100ms") Duration interval,
            @DefaultValue("5s") Duration check,
            @DefaultValue("8s") Duration heartbeat,
            @DefaultValue("1h") Duration longest) {}
}
