package dev.ovation.webhook;

import dev.ovation.store.log.LogPositions;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * A receiver of changes.
 *
 * @param attempts failed attempts of the next message; 0 when it was not tried yet
 */
record Webhook(
        String id,
        Target target,
        String secret,
        LogPositions positions,
        @Nullable Message message,
        int attempts,
        @Nullable String lastError,
        Instant createdAt,
        @Nullable Instant deliveredAt) {

    /** Returns the webhook without a message, at another place. */
    Webhook at(LogPositions place) {
        return new Webhook(id, target, secret, place, null, 0, lastError, createdAt, deliveredAt);
    }

    /**
     * The settings of a client.
     *
     * @param namespaces null for all
     * @param kinds of events
     * @param milestones totals whose reaching is an event, in ascending order
     * @param max greatest number of changes in a message
     * @param delayMillis time that a change waits for others before it is sent
     */
    record Target(
            String url,
            @Nullable List<String> namespaces,
            List<String> kinds,
            List<Long> milestones,
            int max,
            int delayMillis) {}

    /**
     * A message that is fixed, so that each attempt has the same events and the same id.
     *
     * @param end the place after its last change
     */
    record Message(String id, LogPositions end) {}
}
