package dev.ovation.faults.service;

import dev.ovation.faults.Stage;
import dev.ovation.hot.Failpoints.Point;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.Wait;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A stage with an instance that, once it is armed, dies right after a commit. */
final class Doomed implements AutoCloseable {

    final Stage stage = Stage.open();
    final ServiceProcess service;
    private final Path armed;

    /** Starts it, with more settings as {@code name=value}. */
    Doomed(Path folder, String... settings) {
        armed = folder.resolve("armed");
        service =
                Children.start(
                        stage,
                        Stage.settings(
                                settings,
                                "ovation.jobs.lease=5s",
                                "halt-at=" + Point.AFTER_COMMIT,
                                "halt-when=" + armed));
    }

    /** From now on it dies after its next commit. */
    void arm() throws IOException {
        Files.createFile(armed);
    }

    void awaitEnd() {
        Wait.until("it is gone", () -> !service.isAlive());
    }

    /** Starts it again, not armed any more. */
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
