package dev.ovation.hot;

import org.springframework.boot.context.properties.ConfigurationProperties;

import java.time.Duration;

/**
 * Bounds of the loads of entities from Postgres.
 *
 * @param running loads at the same time
 * @param waiting loads that may wait for their turn; the next is refused at once
 * @param patience how long one may wait for its turn; with the patience of {@code ovation.postgres}
 *     less than a lease
 */
@ConfigurationProperties("ovation.loads")
record LoadSettings(int running, int waiting, Duration patience) {}
