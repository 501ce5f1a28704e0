package dev.ovation.reaction;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Bounds of requests.
 *
 * @param reads reads under way at the same time; the next is refused at once
 * @param writes writes under way at the same time; the next is refused at once
 * @param deadline how long a write may take before its outcome is called unknown
 * @param attach how long a write waits for its partition to be attached
 */
@ConfigurationProperties("ovation.requests")
record RequestSettings(
        @DefaultValue("5000") int reads,
        @DefaultValue("2000") int writes,
        @DefaultValue("5s") Duration deadline,
        @DefaultValue("2s") Duration attach) {}
