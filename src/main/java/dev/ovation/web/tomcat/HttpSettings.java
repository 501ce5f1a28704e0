package dev.ovation.web.tomcat;

import dev.ovation.entity.SettingBounds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import java.time.Duration;

/**
 * Bounds of HTTP requests. The controllers read the size by the name of the setting.
 *
 * @param maxBody Largest body of a request.
 * @param countsMaxAge Time that caches serve counts without a viewer unasked, in whole seconds;
 *     never shorter than the near cache's.
 * @param rulesMaxAge Time that caches serve the rules of a namespace unasked, in whole seconds.
 */
@ConfigurationProperties("ovation.http")
record HttpSettings(
        @DefaultValue("128KB") DataSize maxBody,
        @DefaultValue("0s") Duration countsMaxAge,
        @DefaultValue("60s") Duration rulesMaxAge) {

    private static final DataSize MOST = DataSize.ofGigabytes(1);

    HttpSettings {
        if (maxBody.toBytes() < 1 || maxBody.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "ovation.http.max-body must be at least 1B and at most 1GB, not " + maxBody);
        }
        SettingBounds.atLeast(0, "ovation.http.counts-max-age", countsMaxAge.toNanos());
        SettingBounds.atLeast(0, "ovation.http.rules-max-age", rulesMaxAge.toNanos());
    }

    /**
     * Constants, bound for tests.
     *
     * @param maxHeaderTime Time from the first to the last byte of a header.
     * @param bodyGrace Time that a body may be waited for, beyond one second for each 1 KB.
     * @param streams Streams of an HTTP/2 connection at the same time.
     */
    @ConfigurationProperties("ovation.internal.http")
    record HttpConstants(
            @DefaultValue("5s") Duration maxHeaderTime,
            @DefaultValue("5s") Duration bodyGrace,
            @DefaultValue("32") int streams) {}
}
