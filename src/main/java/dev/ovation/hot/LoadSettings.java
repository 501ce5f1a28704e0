package dev.ovation.hot;

import org.springframework.boot.context.properties.ConfigurationProperties;

import java.time.Duration;

/**
 * Bounds of the loads of entities from Postgres.
 *
 * @param running statements at the same time, at most
 * @param together loads that one statement reads
 * @param linger how long a load waits for the statement that runs, to go with others into the next
 *     one; then it begins one beside it
 * @param waiting loads that may wait for their turn; the next is refused at once
 * @param patience how long one may wait for its turn; with the patience of {@code ovation.postgres}
 *     less than a lease
 */
@ConfigurationProperties("ovation.loads")
record LoadSettings(int running, int together, Duration linger, int waiting, Duration patience) {

    LoadSettings {
        if (running < 1) {
            throw new IllegalArgumentException("ovation.loads.running must be at least 1");
        }
        if (together < 1) {
            throw new IllegalArgumentException("ovation.loads.together must be at least 1");
        }
        if (linger.isNegative() || linger.compareTo(patience) > 0) {
            throw new IllegalArgumentException(
                    "ovation.loads.linger must lie between 0 and ovation.loads.patience");
        }
    }
}
