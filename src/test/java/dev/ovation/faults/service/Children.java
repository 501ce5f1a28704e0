package dev.ovation.faults.service;

import dev.ovation.faults.Stage;
import dev.ovation.testing.ServiceProcess;

/** Instances on a stage with a process of their own. */
final class Children {

    private Children() {}

    /** Starts an instance and waits until it accepts writes. */
    static ServiceProcess start(Stage stage, String... settings) {
        return ServiceProcess.start(
                Stage.settings(
                        Stage.settings(
                                Stage.PATIENT,
                                "spring.datasource.url=" + stage.url,
                                "spring.datasource.username=postgres",
                                "spring.datasource.password=postgres",
                                Stage.LOCKS_END,
                                "spring.data.redis.url=" + stage.redisProcess.uri(),
                                "ovation.config-dir=" + Stage.CONFIG),
                        settings));
    }
}
