package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.Instance;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.time.Duration;
import java.util.Arrays;

/** A service that can never use its servers logs the reason once. */
@Isolated
@ExtendWith(OutputCaptureExtension.class)
class UnusableFromTheStartTest {

    private static final String REDIS = "redis";
    private static final String RELAY = "relay";

    @Test
    void aWrongPasswordOfRedisIsNamedInTheLogAndInHealth(CapturedOutput output) {
        try (var stage = Stage.open()) {
            var service =
                    stage.launch(
                            Stage.settings(
                                    Stage.PATIENT,
                                    "spring.data.redis.url="
                                            + stage.redisProcess
                                                    .uri()
                                                    .replaceFirst("//", "//ovation:wrong@")));

            awaitReason(service, REDIS, "WRONGPASS", "spring.data.redis.password");
            long tries = connections(stage);
            Wait.until("it has tried again", () -> connections(stage) > tries + 5);
            assertThat(output.getOut()).containsOnlyOnce("WRONGPASS").doesNotContain(":wrong@");

            stage.redis().aclSetuser("ovation", AclSetuserArgs.Builder.addPassword("wrong"));
            service.attached();
            assertThat(reason(service, REDIS)).isEmpty();
            Parts.awaitAccepted(() -> service.add(POSTS, "1", "ann", "👍"));
        }
    }

    /** The server itself answers, but refuses a command that the relay needs. */
    @Test
    void aRightThatIsMissingIsNamed(CapturedOutput output) {
        try (var stage = Stage.open()) {
            stage.redis()
                    .aclSetuser(
                            "ovation",
                            AclSetuserArgs.Builder.removeCommand(CommandType.EVALSHA)
                                    .removeCommand(CommandType.EVAL));
            var service = stage.launch(Stage.PATIENT);

            awaitReason(service, RELAY, "NOPERM", "docker/production/redis.acl");
            String line = "is repeated: NOPERM";
            Wait.until("it is logged", () -> output.getOut().contains(line));
            assertThat(output.getOut()).containsOnlyOnce(line);

            stage.redis()
                    .aclSetuser(
                            "ovation",
                            AclSetuserArgs.Builder.addCommand(CommandType.EVALSHA)
                                    .addCommand(CommandType.EVAL));
            service.attached();
            assertThat(reason(service, RELAY)).isEmpty();
        }
    }

    @Test
    void addressesThatCannotWorkAreRefusedAtTheStart() {
        String setting = "spring.data.redis.masterreplica.nodes";
        assertThatThrownBy(
                        () ->
                                Instance.start(
                                        "jdbc:postgresql://127.0.0.1:1/nowhere",
                                        "redis://127.0.0.1:1",
                                        Stage.CONFIG,
                                        setting + "=127.0.0.1:1,127.0.0.1:2"))
                .hasMessageContaining(setting)
                .hasMessageContaining("spring.data.redis.sentinel.nodes");
    }

    @Test
    void aDatabaseThatIsNotThereIsNamedWhileTheStartWaitsForIt(CapturedOutput output)
            throws Exception {
        String server = TestPostgres.emptyUrl();
        String missing = "missing" + System.nanoTime();
        try (var stage = Stage.open()) {
            var starting =
                    Stage.meanwhile(
                            () ->
                                    Instance.start(
                                            server.replaceFirst(
                                                    "/[^/?]+(\\?|$)", "/" + missing + "$1"),
                                            stage.redisProcess.uri(),
                                            Stage.CONFIG,
                                            Stage.PATIENT));
            Wait.until(
                    "the log has it",
                    Duration.ofMinutes(5),
                    () -> output.getOut().contains("\"" + missing + "\" does not exist"));
            var sql = new JdbcTemplate(new DriverManagerDataSource(server, "postgres", "postgres"));
            sql.execute("create database " + missing + " template migrated");

            try (var service = starting.get()) {
                service.attached();
                assertThat(output.getOut())
                        .containsOnlyOnce("Waiting for Postgres: FATAL: database \"" + missing);
            }
        }
    }

    @Test
    void healthReportsWhyPostgresDoesNotAnswer(CapturedOutput output) {
        try (var stage = Stage.open()) {
            var service =
                    stage.launchBehindProxy(
                                    Stage.settings(
                                            Stage.PATIENT,
                                            "spring.datasource.hikari.connection-timeout=500"))
                            .attached();
            stage.proxy().cut();
            Wait.until("health shows the reason", () -> !reason(service, "postgres").isEmpty());
            Wait.until(
                    "it is logged", () -> output.getOut().contains("Postgres does not answer: "));

            stage.proxy().mend();
            Parts.awaitAllUp(service);
            assertThat(reason(service, "postgres")).isEmpty();
        }
    }

    /** Number of connections that Redis has accepted since its start. */
    private static long connections(Stage stage) {
        return stage.redis()
                .info("stats")
                .lines()
                .filter(line -> line.startsWith("total_connections_received:"))
                .mapToLong(line -> Long.parseLong(line.split(":")[1].strip()))
                .sum();
    }

    /** Awaits one reason with all these texts; a connection that broke off may state another. */
    private static void awaitReason(Instance service, String part, String... texts) {
        Wait.until(
                part + " has a reason",
                () -> reason(service, part),
                why -> Arrays.stream(texts).allMatch(why::contains));
    }

    /** Reason that the health of a part states; empty if it states none. */
    private static String reason(Instance service, String part) {
        return service.get("/actuator/health")
                .json()
                .at("/components/" + part + "/details/reason")
                .asString("");
    }
}
