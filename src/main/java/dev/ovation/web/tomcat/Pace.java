package dev.ovation.web.tomcat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Minimum pace at which a request must arrive.
 *
 * @param head the time from the first byte of its head to the last
 * @param grace how long its body may be waited for, in all reads together, beyond what was earned
 * @param rate bytes of a body that earn a second of waiting, up to the grace
 */
record Pace(Duration head, Duration grace, long rate) {

    /** Default of a connector. */
    static final Pace DEFAULT = new Pace(Duration.ofSeconds(5), Duration.ofSeconds(5), 1024);

    /**
     * Checks that it can be kept.
     *
     * @throws IllegalArgumentException when something is not above 0
     */
    Pace {
        if (!head.isPositive() || !grace.isPositive() || rate < 1) {
            throw new IllegalArgumentException(
                    "a pace must be above 0, not %s, %s, %d".formatted(head, grace, rate));
        }
    }

    /** Nanoseconds of waiting that these bytes earn. */
    long nanosFor(int bytes) {
        return TimeUnit.SECONDS.toNanos(bytes) / rate;
    }
}
