package dev.ovation.hot.load;

import dev.ovation.entity.SettingBounds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Bounds of the loads of entities from Postgres, bound for tests.
 *
 * @param maxConcurrent greatest number of statements at the same time
 * @param batchSize greatest number of loads that one statement reads
 * @param linger how long a load waits for the running statement to end, in order to share the next
 *     one; after this time it starts a further statement
 * @param queueCapacity loads that may wait for their turn; the next one is refused at once
 * @param maxWait how long a load may wait for its turn; together with the greatest wait for {@code
 *     ovation.internal.postgres} it is less than a lease
 */
@ConfigurationProperties("ovation.internal.loads")
public record LoadSettings(
        @DefaultValue("8") int maxConcurrent,
        @DefaultValue("16") int batchSize,
        @DefaultValue("20ms") Duration linger,
        @DefaultValue("500") int queueCapacity,
        @DefaultValue("1s") Duration maxWait) {

    public LoadSettings {
        SettingBounds.atLeast(1, "ovation.internal.loads.max-concurrent", maxConcurrent);
        SettingBounds.atLeast(1, "ovation.internal.loads.batch-size", batchSize);
        if (linger.isNegative() || linger.compareTo(maxWait) > 0) {
            throw new IllegalArgumentException(
                    "ovation.internal.loads.linger must lie between 0 and"
                            + " ovation.internal.loads.max-wait");
        }
    }

    /**
     * Returns these settings with at most two thirds of the statements of requests, so that other
     * statements get through.
     *
     * @param statements greatest number of statements of requests at the same time
     */
    public LoadSettings within(int statements) {
        int share = Math.max(1, statements * 2 / 3);
        return new LoadSettings(
                Math.min(maxConcurrent, share), batchSize, linger, queueCapacity, maxWait);
    }
}
