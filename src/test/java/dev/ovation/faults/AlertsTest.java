package dev.ovation.faults;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.PrometheusProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Faults fire their alerts in a Prometheus, and the end of a fault clears them: {@code ./mvnw
 * verify -Palerts}. Two instances serve a load, one of them reads from a standby.
 */
@Tag("embedded")
@EnabledIfSystemProperty(named = "prometheus.demanded", matches = "true")
class AlertsTest {

    private static final Path RULES = Path.of("docker/chart/monitoring/alerts.yaml");

    private static PostgresProcess postgres;
    private static PostgresProcess standby;
    private static Stage stage;
    private static Instance first;
    private static Instance second;
    private static PrometheusProcess prometheus;
    private static Path rules;
    private static Thread load;

    /** The longest time that a rule looks back, and some seconds. */
    private static final Duration BOUND = Duration.ofMinutes(5);

    private static volatile boolean stopped;

    @BeforeAll
    static void start() throws IOException {
        postgres = PostgresProcess.start("wal_keep_size=256MB");
        standby = postgres.startStandby("wal_retrieve_retry_interval=100ms");
        stage = Stage.openOn(postgres);
        rules = Files.createTempDirectory("ovation-rules");
        for (String file :
                new String[] {"reactions.yaml", "reaction_sets.yaml", "namespaces.yaml"}) {
            Files.copy(Stage.CONFIG.resolve(file), rules.resolve(file));
        }
        first =
                stage.start(
                        "ovation.config-dir=" + rules,
                        "ovation.postgres.replica.url=" + standby.urlOf(stage.url),
                        "ovation.postgres.replica.max-staleness=1s");
        second = stage.start();
        prometheus = PrometheusProcess.with(RULES);
        prometheus.watch(first.port(), second.port());
        load = Thread.ofVirtual().start(AlertsTest::load);
        awaitClear("InstanceDown", "RedisUnusable", "PostgresUnusable", "ReplicaUnread");
    }

    @AfterAll
    static void stop() throws InterruptedException {
        stopped = true;
        load.join();
        prometheus.close();
        stage.close();
        standby.close();
        postgres.close();
    }

    /** Clients that write and read through all faults. */
    private static void load() {
        try {
            for (int i = 0; !stopped; i++) {
                first.add(NOTES, "load-" + i % 20, "user-" + i, "👍");
                first.read(NOTES, "load-" + i % 20, null);
                Thread.sleep(20);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitFiring(String... alerts) {
        var missing = new HashSet<>(Set.of(alerts));
        Wait.until(
                "all have fired: " + Set.of(alerts),
                BOUND,
                () -> {
                    missing.removeAll(prometheus.firing());
                    return missing.isEmpty();
                });
    }

    private static void awaitClear(String... alerts) {
        Wait.until(
                "none fires: " + Set.of(alerts),
                BOUND,
                prometheus::firing,
                firing -> Set.of(alerts).stream().noneMatch(firing::contains));
    }

    /** Its keys are lost each time, and the last start is late. */
    @Test
    void aLossOfRedis() throws Exception {
        for (int i = 0; i < 4; i++) {
            stage.redisProcess.kill();
            stage.redisProcess.restart();
            Wait.until("writes continue", () -> write().status() == 200);
        }
        stage.redisProcess.kill();
        String[] alerts = {
            "RedisUnusable", "RedisUnusableForOne", "ErrorBudgetFast", "ErrorBudgetSlow"
        };
        awaitFiring(alerts);
        stage.redisProcess.restart();
        awaitFiring("EpochChurn");
        awaitClear(alerts);
        awaitClear("EpochChurn");
    }

    private static Instance.Answer write() {
        return first.add(NOTES, "written", "user-" + System.nanoTime(), "👍");
    }

    @Test
    void aLossOfPostgres() {
        postgres.pause();
        awaitFiring("PostgresUnusable");
        postgres.resume();
        awaitClear("PostgresUnusable");
    }

    @Test
    void aLossOfTheStandby() {
        standby.kill();
        awaitFiring("ReplicaUnread");
        standby.restart();
        awaitClear("ReplicaUnread");
    }

    @Test
    void aPoisonEvent() {
        assertThat(second.add(POSTS, "poisoned", "ann", "👍").status()).isEqualTo(200);
        stage.awaitDrained();
        stage.propose(POSTS, "poisoned", "poison\0", "🔥");
        awaitFiring("EventsLost", "ErrorsLogged");
        awaitClear("EventsLost", "ErrorsLogged");
    }

    /** An instance of the newer release would continue; here the epoch ends. */
    @Test
    void anEventOfANewerRelease() {
        assertThat(second.add(POSTS, "newer", "ann", "👍").status()).isEqualTo(200);
        stage.awaitDrained();
        stage.propose("2", POSTS, "newer", "ben", "🔥");
        awaitFiring("PartitionsStopped");
        stage.redis().flushall();
        awaitClear("PartitionsStopped");
    }

    @Test
    void aCountThatIsWrong() {
        assertThat(second.add(POSTS, "wrong", "ann", "👍").status()).isEqualTo(200);
        stage.awaitDrained();
        stage.sql.update(
                """
                update counter c set count = c.count + 1 from entity e
                where  e.p = c.p and e.no = c.entity_no and e.entity = 'wrong'
                """);
        awaitFiring("Drift");
        second.send("POST", "/actuator/audit?sample=1000&repair=true", null);
        awaitClear("Drift");
    }

    @Test
    void anInstanceThatEnds() {
        int port = second.port();
        second.close();
        awaitFiring("InstanceDown");
        second = stage.start("server.port=" + port);
        awaitClear("InstanceDown");
    }

    @Test
    void aFileOfRulesThatIsBroken() throws IOException {
        Path file = rules.resolve("namespaces.yaml");
        String sound = Files.readString(file);
        Files.writeString(file, "- {id: [");
        assertThat(first.send("POST", "/actuator/refresh", null).status()).isBetween(400, 499);
        awaitFiring("RulesFail");
        Files.writeString(file, sound);
        assertThat(first.send("POST", "/actuator/refresh", null).status()).isEqualTo(200);
        awaitClear("RulesFail");
    }

    @Test
    void anInstanceThatServesAllCallers() throws IOException {
        try (var open = stage.start("ovation.access.mode=open", "server.address=127.0.0.1")) {
            prometheus.watch(first.port(), second.port(), open.port());
            awaitFiring("AccessOpen");
        }
        prometheus.watch(first.port(), second.port());
        awaitClear("AccessOpen");
    }
}
