package dev.ovation.bench;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests at a constant rate, whether or not the answers keep up: each has a time at which it is
 * due, and its latency counts from then, so a stall is seen by all that it delays. The requests are
 * spread evenly over the connections, and these over the ports.
 */
final class ConstantRate {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final List<Integer> ports;
    private final int connections;
    private final int rate;
    private final List<Template> templates;
    private final Histogram latencies = new ConcurrentHistogram(LONGEST.toNanos(), 3);
    private final LongAdder errors = new LongAdder();

    ConstantRate(List<Integer> ports, int connections, int rate, List<Template> templates) {
        this.ports = ports;
        this.connections = connections;
        this.rate = rate;
        this.templates = templates;
    }

    /** Runs for so long; to be called once. */
    ConstantRate run(Duration time) {
        long start = System.nanoTime() + Duration.ofMillis(200).toNanos();
        long end = start + time.toNanos();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < connections; i++) {
                int number = i;
                var _ = threads.submit(() -> keepAsking(number, start, end));
            }
        }
        return this;
    }

    private void keepAsking(int number, long start, long end) {
        double interval = (double) TimeUnit.SECONDS.toNanos(1) / rate;
        KeptConnection connection = null;
        long turn = number;
        long due = start + (long) (turn * interval);
        while (due < end) {
            LockSupport.parkNanos(due - System.nanoTime());
            if (System.nanoTime() < due) {
                continue; // woken too early
            }
            try {
                if (connection == null) {
                    connection = new KeptConnection(ports.get(number % ports.size()));
                }
                if (connection.exchange(Template.any(templates).request()) >= 400) {
                    errors.increment();
                }
            } catch (IOException _) {
                errors.increment();
                close(connection);
                connection = null;
            }
            latencies.recordValue(Math.min(System.nanoTime() - due, LONGEST.toNanos()));
            turn += connections;
            due = start + (long) (turn * interval);
        }
        close(connection);
    }

    private void close(KeptConnection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (IOException _) {
            errors.increment();
        }
    }

    /** Answers and failures. */
    long requests() {
        return latencies.getTotalCount();
    }

    /** Failures: a status of 400 or more, a broken connection, no answer. */
    long errors() {
        return errors.sum();
    }

    /** A percentile of the latency, in milliseconds. */
    double percentile(double percent) {
        return latencies.getValueAtPercentile(percent) / 1e6;
    }
}
