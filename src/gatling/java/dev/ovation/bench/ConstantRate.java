package dev.ovation.bench;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Sends requests at a constant rate, whether or not the answers keep up. Each request is due at a
 * fixed time, and its latency counts from then, so that a stall affects all requests that it
 * delays. The requests are spread evenly over the connections, and these over the ports.
 */
final class ConstantRate {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final List<Integer> ports;
    private final int connections;
    private final int rate;
    private final List<Template> templates;
    private final Histogram latencies = new ConcurrentHistogram(LONGEST.toNanos(), 3);
    private final LongAdder answers = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private double seconds;

    ConstantRate(List<Integer> ports, int connections, int rate, List<Template> templates) {
        this.ports = ports;
        this.connections = connections;
        this.rate = rate;
        this.templates = templates;
    }

    /**
     * Runs for this time, or up to twice as long if the answers do not keep up. Requests that are
     * due and not sent then are omitted, which lowers the reached rate. Call it once.
     */
    ConstantRate run(Duration time) {
        return run(time, time.multipliedBy(2));
    }

    /** Runs with a bound other than twice the time. Call it once. */
    ConstantRate run(Duration time, Duration longest) {
        long start = System.nanoTime() + lead(connections).toNanos();
        long end = start + time.toNanos();
        long latest = start + longest.toNanos();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all =
                    IntStream.range(0, connections)
                            .mapToObj(
                                    number ->
                                            (Runnable) () -> keepAsking(number, start, end, latest))
                            .map(asking -> CompletableFuture.runAsync(asking, threads))
                            .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(all).join();
        }
        seconds = (System.nanoTime() - start) / 1e9;
        return this;
    }

    /** Time for connections before the first request is due. */
    static Duration lead(int connections) {
        return Duration.ofMillis(200 + connections);
    }

    private void keepAsking(int number, long start, long end, long latest) {
        double interval = (double) TimeUnit.SECONDS.toNanos(1) / rate;
        KeptConnection connection = connect(number);
        long turn = number;
        long due = start + (long) (turn * interval);
        while (due < end && System.nanoTime() < latest) {
            LockSupport.parkNanos(due - System.nanoTime());
            if (System.nanoTime() < due) {
                continue; // woken too early
            }
            try {
                if (connection == null) {
                    connection = new KeptConnection(ports.get(number % ports.size()));
                }
                if (connection.exchange(Template.any(templates).request()) < 400) {
                    long nanos = Math.min(System.nanoTime() - due, LONGEST.toNanos());
                    latencies.recordValue(nanos);
                } else {
                    errors.increment();
                }
                answers.increment();
            } catch (IOException _) {
                errors.increment();
                close(connection);
                connection = null;
            }
            turn += connections;
            due = start + (long) (turn * interval);
        }
        close(connection);
    }

    /**
     * Returns null if the connection fails; the first request tries again, and reports a failure.
     */
    private KeptConnection connect(int number) {
        try {
            return new KeptConnection(ports.get(number % ports.size()));
        } catch (IOException _) {
            return null;
        }
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

    /** Number of requests with an answer of any status. */
    long answers() {
        return answers.sum();
    }

    /** Failures: a status of 400 or more, a malformed answer, a broken connection, no answer. */
    long errors() {
        return errors.sum();
    }

    /** Answers per second, from when the first request was due to the last answer. */
    double reached() {
        return answers() / seconds;
    }

    /** A percentile of the latency of successful requests, in milliseconds. */
    double percentile(double percent) {
        return latencies.getValueAtPercentile(percent) / 1e6;
    }
}
