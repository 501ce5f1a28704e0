package dev.ovation.api;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import java.util.Arrays;

/** The content of {@code /actuator/prometheus}. */
record Metrics(String text) {

    static Metrics of(Instance instance) {
        return new Metrics(instance.get("/actuator/prometheus").body());
    }

    /** The sum of all series of this name whose labels include these, as {@code kind="x"}. */
    double value(String name, String... labels) {
        return text.lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> Arrays.stream(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    boolean shows(String name) {
        return text.lines()
                .anyMatch(line -> line.startsWith(name + "{") || line.startsWith(name + " "));
    }

    /**
     * Fails unless the action increments the metric, which is measured after the answer was sent.
     */
    static void assertGrows(Instance instance, Runnable action, String name, String... labels) {
        double before = of(instance).value(name, labels);
        action.run();
        Wait.until(
                name + " " + Arrays.toString(labels) + " grows beyond " + before,
                () -> of(instance).value(name, labels) > before);
    }

    /**
     * Fails unless the metric grows while the action is repeated. The service may answer a single
     * read from Postgres, past what the metric counts: when a partition changes its epoch, or Redis
     * does not answer.
     */
    static void assertGrowsOnRepetition(
            Instance instance, Runnable action, String name, String... labels) {
        double before = of(instance).value(name, labels);
        Wait.until(
                name + " " + Arrays.toString(labels) + " grows beyond " + before,
                () -> {
                    action.run();
                    return of(instance).value(name, labels) > before;
                });
    }
}
