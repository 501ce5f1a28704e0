package dev.ovation.faults.service;

import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.testing.Instance;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.Wait;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A stage with an instance that dies after its next commit when it is armed. */
final class Doomed implements AutoCloseable {

    final Stage stage = Stage.open();
    final ServiceProcess service;
    private final Path armed;
    private final String[] settings;

    /** Starts the instance, with more settings as {@code name=value}. */
    Doomed(Path folder, String... settings) {
        armed = folder.resolve("armed");
        this.settings = Stage.settings(settings, "ovation.internal.jobs.lease=5s");
        service =
                Children.start(
                        stage,
                        Stage.settings(
                                this.settings,
                                "halt-at=" + Point.AFTER_COMMIT,
                                "halt-when=" + armed));
    }

    /** Makes the instance die after its next commit. */
    void arm() throws IOException {
        Files.createFile(armed);
    }

    void awaitEnd() {
        Wait.until("the process has ended", () -> !service.isAlive());
    }

    /**
     * Starts an instance with the same settings after the end of the other. It does not halt, and
     * therefore needs no process of its own.
     */
    Instance startAgain() {
        return stage.start(Stage.settings(Stage.PATIENT, settings));
    }

    @Override
    public void close() {
        service.close();
        stage.close();
    }
}
