package dev.ovation.faults.alerts;

import static dev.ovation.faults.Stage.NOTES;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Instance;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.PrometheusProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.TestInfo;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;

/** The servers of a test of alerts, a Prometheus with the shipped rules, and a load. */
final class AlertBench implements AutoCloseable {

    private static final Path RULES = Path.of("docker/chart/monitoring/alerts.yaml");

    /** The longest time that a rule looks back or waits, and some more on a busy machine. */
    private static final Duration BOUND = Duration.ofMinutes(8);

    /** More than the limits of requests per second of the rules, with pauses of a client. */
    private static final int CLIENTS = 20;

    private static final Duration PAUSE = Duration.ofMillis(200);

    final PostgresProcess postgres;
    final Stage stage;
    final PrometheusProcess prometheus;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> defect = new AtomicReference<>();
    private volatile boolean stopped;

    /**
     * Starts the servers.
     *
     * @param settings of Postgres, as {@code name=value}
     */
    AlertBench(String... settings) {
        prometheus = PrometheusProcess.with(RULES);
        postgres = PostgresProcess.start(settings);
        stage = Stage.openOn(postgres);
    }

    /** A step of a fault. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /** A call of a client. */
    @FunctionalInterface
    interface Call {
        void run(int client, int call) throws Exception;
    }

    /** Starts clients that write and read hot and cold entities at an instance from now on. */
    void load(Instance instance) {
        load(
                (client, i) -> {
                    String user = "user-" + client + "-" + i;
                    var _ = instance.add(NOTES, "hot", user, "👍");
                    var _ = instance.add(NOTES, "of-" + client, user, "👍");
                    var _ = instance.read(NOTES, "hot", null);
                    var _ = instance.read(NOTES, "cold-" + client + "-" + i, null);
                });
    }

    /** Starts clients that call from now on, with pauses. */
    void load(Call call) {
        for (int client = 0; client < CLIENTS; client++) {
            int number = client;
            var calls = new int[1];
            threads.add(
                    Thread.ofVirtual()
                            .start(
                                    () ->
                                            repeat(
                                                    () -> {
                                                        call.run(number, calls[0]++);
                                                        Thread.sleep(PAUSE);
                                                    })));
        }
    }

    /** Runs a step again and again in a thread of its own, until this bench closes. */
    private void repeat(Step step) {
        while (!stopped) {
            try {
                step.run();
            } catch (UncheckedIOException e) {
                continue; // the fault
            } catch (Throwable e) {
                defect.compareAndSet(null, e);
                return;
            }
        }
    }

    /** Shows that a fault fires the alerts that the test names, and that its end clears them. */
    void shows(TestInfo test, Step fault, Step end) throws Exception {
        var alerts = alerts(test);
        awaitClear(alerts);
        Set<String> seen = new TreeSet<>();
        try {
            fault.run();
            Wait.until(
                    "all have fired: " + alerts,
                    BOUND,
                    () -> {
                        seen.addAll(firing());
                        return seen;
                    },
                    all -> all.containsAll(alerts));
        } finally {
            end.run();
        }
        System.out.println(test.getDisplayName() + " fired " + seen);
        awaitClear(alerts);
    }

    /** Returns the alerts that fire now; an error ends a wait at once if the load has ended. */
    private Set<String> firing() throws Exception {
        if (defect.get() != null) {
            throw new AssertionError("a client of the load has ended", defect.get());
        }
        return prometheus.firing();
    }

    private static List<String> alerts(TestInfo test) {
        var method = test.getTestMethod().orElseThrow();
        return Arrays.asList(method.getAnnotation(Fires.class).value());
    }

    private void awaitClear(List<String> alerts) {
        Wait.until(
                "none fires: " + alerts,
                BOUND,
                this::firing,
                firing -> alerts.stream().noneMatch(firing::contains));
    }

    @Override
    public void close() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        prometheus.close();
        stage.close();
        postgres.close();
    }
}
