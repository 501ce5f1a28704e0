package dev.ovation.store.replica;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the replica.
 *
 * @param url JDBC address of a standby of Postgres for lists, exports and audits; empty: none. User
 *     and password are those of the primary unless the address has others.
 * @param maxStaleness Greatest age of what is read from the standby; beyond it the primary is read.
 */
@ConfigurationProperties("ovation.postgres.replica")
record ReplicaSettings(@DefaultValue("") String url, @DefaultValue("5s") Duration maxStaleness) {

    private static final String SCHEME = "jdbc:postgresql:";
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofMinutes(10);

    /** Beats within the greatest age, so that one that is late does not make the replica stale. */
    private static final int BEATS = 5;

    ReplicaSettings {
        // The message has no value, because the address may have a password.
        if (!url.isBlank() && !url.startsWith(SCHEME)) {
            throw new IllegalArgumentException(
                    "ovation.postgres.replica.url must begin with " + SCHEME);
        }
        if (maxStaleness.compareTo(LEAST) < 0 || maxStaleness.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "ovation.postgres.replica.max-staleness must be from 1s to 10m, not "
                            + maxStaleness);
        }
    }

    /** Returns the pause between two beats, at most a second. */
    Duration beat() {
        Duration part = maxStaleness.dividedBy(BEATS);
        return part.compareTo(LEAST) < 0 ? part : LEAST;
    }
}
