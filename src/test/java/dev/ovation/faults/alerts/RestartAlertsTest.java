package dev.ovation.faults.alerts;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Ports;
import dev.ovation.testing.ServiceProcess;

import org.junit.jupiter.api.TestInfo;

/** Starts of an instance. */
@Alerting
class RestartAlertsTest {

    /**
     * The rule looks back for three minutes, in which also a busy machine starts it three times.
     */
    private static final int FACTOR = 5;

    @Fires("Restarts")
    void anInstanceThatStartsAgainAndAgain(TestInfo test) throws Exception {
        try (var bench = new AlertBench(FACTOR);
                var child =
                        ServiceProcess.start(
                                "spring.datasource.url=" + bench.stage.url,
                                "spring.datasource.username=postgres",
                                "spring.datasource.password=postgres",
                                "spring.data.redis.url=" + bench.stage.redisProcess.uri(),
                                "ovation.config-dir=" + Stage.CONFIG,
                                "server.port=" + Ports.free())) {
            bench.prometheus.watch(child.port());
            bench.shows(
                    test,
                    () -> {
                        while (!bench.hasFired("Restarts")) {
                            child.kill();
                            child.start();
                        }
                    },
                    () -> {});
        }
    }
}
