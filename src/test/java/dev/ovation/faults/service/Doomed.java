package dev.ovation.faults.service;

import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Failpoints.Point;
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

    /** Starts the instance, with more settings as {@code name=value}. */
    Doomed(Path folder, String... settings) {
        armed = folder.resolve("armed");
        service =
                Children.start(
                        stage,
                        Stage.settings(
                                settings,
                                "ovation.internal.jobs.lease=5s",
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

    /** Restarts the instance, not armed any more. */
    void startAgain() throws IOException {
        Files.delete(armed);
        service.start();
    }

    @Override
    public void close() {
        service.close();
        stage.close();
    }
}
