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
                                "spring.datasource.hikari.connection-timeout=10000",
                                "spring.datasource.hikari.data-source-properties.connectTimeout=10",
                                "spring.datasource.hikari.data-source-properties.loginTimeout=10",
                                "spring.datasource.hikari.data-source-properties.socketTimeout=60",
                                "spring.data.redis.url=" + stage.redisProcess.uri(),
                                "ovation.config-dir=" + Stage.CONFIG),
                        settings));
    }
}
