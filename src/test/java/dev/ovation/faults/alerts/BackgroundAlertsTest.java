package dev.ovation.faults.alerts;

import static dev.ovation.faults.Stage.NOTES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Erasures;
import dev.ovation.testing.Instance;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;

/** Faults of work in the background, which take minutes until they fire. */
@Alerting
class BackgroundAlertsTest {

    private static AlertBench bench;
    private static Instance service;

    @BeforeAll
    static void start() {
        bench = new AlertBench();
        service = bench.stage.start();
        bench.prometheus.watch(service.port());
    }

    @AfterAll
    static void stop() {
        bench.close();
    }

    /** A session locks the turns of the background work, and an entity that is to be erased. */
    @Fires({"AuditStopped", "BackgroundBehind", "RankingOld", "ErasureLate"})
    void aSessionThatLocksTheWork(TestInfo test) throws Exception {
        assertThat(service.add(NOTES, "erased", "ann", "👍").status()).isEqualTo(200);
        bench.stage.awaitDrained();
        bench.shows(
                test,
                () -> {
                    var _ = bench.stage.hold("select 1 from background for update");
                    var _ =
                            bench.stage.hold(
                                    "select 1 from entity where entity = 'erased' for update");
                    var _ =
                            Stage.meanwhile(
                                    () ->
                                            service.send(
                                                    "DELETE",
                                                    Erasures.ofEntity(NOTES, "erased"),
                                                    null));
                },
                bench.stage::release);
    }
}
