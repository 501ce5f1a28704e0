package dev.ovation.faults.alerts;

import dev.ovation.faults.Stage;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;

import java.util.ArrayList;
import java.util.List;

/**
 * An instance that ends and starts again and again. Its processes have started before: a busy
 * machine does not start three of them in the minute that the rule looks back here.
 */
@Alerting
class RestartAlertsTest {

    private static final int STARTS = 3;
    private static final String STARTED = "process_start_time_seconds";

    private static final List<ServiceProcess> PROCESSES = new ArrayList<>();
    private static AlertBench bench;
    private static TcpProxy address;

    @BeforeAll
    static void start() {
        bench = new AlertBench();
        for (int i = 0; i <= STARTS; i++) {
            PROCESSES.add(
                    ServiceProcess.start(
                            "spring.datasource.url=" + bench.stage.url,
                            "spring.datasource.username=postgres",
                            "spring.datasource.password=postgres",
                            "spring.data.redis.url=" + bench.stage.redisProcess.uri(),
                            "ovation.config-dir=" + Stage.CONFIG));
        }
        address = TcpProxy.before("127.0.0.1", PROCESSES.getFirst().port());
        bench.prometheus.watch(address.port());
    }

    @AfterAll
    static void stop() {
        PROCESSES.forEach(ServiceProcess::close);
        address.close();
        bench.close();
    }

    @Fires("Restarts")
    void anInstanceThatStartsAgainAndAgain(TestInfo test) throws Exception {
        bench.shows(
                test,
                () -> {
                    String started = awaitAnother("");
                    for (int i = 0; i < STARTS; i++) {
                        PROCESSES.get(i).kill();
                        address.leadTo("127.0.0.1", PROCESSES.get(i + 1).port());
                        started = awaitAnother(started);
                    }
                },
                () -> {});
    }

    private static String awaitAnother(String process) {
        return Wait.until(
                "another process is scraped",
                () -> bench.prometheus.value(STARTED),
                started -> !started.isEmpty() && !started.equals(process));
    }
}
