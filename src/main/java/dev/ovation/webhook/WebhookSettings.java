package dev.ovation.webhook;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of webhooks.
 *
 * @param allowPrivate Whether URLs may be http and hosts may have loopback, private or link-local
 *     addresses.
 */
@ConfigurationProperties("ovation.webhooks")
record WebhookSettings(@DefaultValue("false") boolean allowPrivate) {

    /**
     * Constants, bound for tests.
     *
     * @param poll Interval in which an instance looks for changes to send.
     * @param lease Time without a sign of its holder after which another instance sends the changes
     *     of a webhook; longer than an attempt.
     * @param timeout Time that an attempt may take.
     * @param firstRetry Time after which the first failed attempt is repeated; it doubles.
     * @param lastRetry Greatest time between two attempts.
     * @param giveUp Time after which a failing message becomes a dead letter.
     */
    @ConfigurationProperties("ovation.internal.webhooks")
    record WebhookConstants(
            @DefaultValue("500ms") Duration poll,
            @DefaultValue("60s") Duration lease,
            @DefaultValue("15s") Duration timeout,
            @DefaultValue("5s") Duration firstRetry,
            @DefaultValue("1h") Duration lastRetry,
            @DefaultValue("24h") Duration giveUp) {

        /**
         * Returns the time after which a failed attempt is repeated.
         *
         * @param attempts failed attempts, at least 1
         */
        Duration retry(int attempts) {
            int doublings = Math.min(attempts - 1, 30);
            long millis = Math.min(firstRetry.toMillis() << doublings, lastRetry.toMillis());
            return Duration.ofMillis(Math.max(millis, 0));
        }
    }
}
