package dev.ovation.webhook;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The metrics of webhooks. */
final class WebhookMetrics {

    private static final String ATTEMPTS = "ovation.webhook.attempts";

    private final Counter delivered;
    private final Counter failed;
    private final Counter dead;
    private volatile Backlog backlog = new Backlog(0, 0);

    WebhookMetrics(MeterRegistry registry) {
        delivered = counter("delivered", registry);
        failed = counter("failed", registry);
        dead = counter("dead", registry);
        Gauge.builder("ovation.webhook.lag", () -> backlog.changes())
                .description("Changes that the slowest webhook has yet to send")
                .register(registry);
        Gauge.builder("ovation.webhook.dead.letters", () -> backlog.deadLetters())
                .description("Messages that were given up and not replayed")
                .register(registry);
    }

    /**
     * Changes and dead letters that are left to send.
     *
     * @param changes of the webhook with the most
     */
    record Backlog(long changes, long deadLetters) {}

    private static Counter counter(String outcome, MeterRegistry registry) {
        return Counter.builder(ATTEMPTS)
                .description("Attempts to send a message, by their outcome")
                .tag("outcome", outcome)
                .register(registry);
    }

    void delivered() {
        delivered.increment();
    }

    /** Counts a failed attempt, the last one of a message apart. */
    void failed(boolean isDead) {
        (isDead ? dead : failed).increment();
    }

    void note(Backlog now) {
        backlog = now;
    }
}
