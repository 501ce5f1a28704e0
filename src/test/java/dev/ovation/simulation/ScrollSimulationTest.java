package dev.ovation.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.simulation.SmallServer.Lie;
import dev.ovation.testing.Beside;
import dev.ovation.testing.ChildJvm;

import io.gatling.app.Gatling;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Whole runs of Gatling, in parallel, against a correct server and several faulty ones. */
@Beside
class ScrollSimulationTest {

    private static final Map<Lie, SmallServer> SERVERS = new EnumMap<>(Lie.class);
    private static final Map<Lie, ChildJvm> RUNS = new EnumMap<>(Lie.class);
    @TempDir private static Path folder;

    @BeforeAll
    static void start() {
        start(Lie.NONE, "reads=screen", "keepalive=false");
        start(Lie.FORGETS_SOME);
        start(Lie.COUNTS_BELOW_ZERO);
        start(Lie.IS_BUSY_AT_FIRST, "warmup.turns=100");
        start(Lie.IS_SLOW, "max.lag=1");
    }

    private static void start(Lie lie, String... settings) {
        SERVERS.put(lie, new SmallServer(lie));
        var given =
                Stream.of(
                        "simulation.config=src/test/resources/thesis/busy.yaml",
                        "simulation.result=" + result(lie),
                        "baseUrl=" + SERVERS.get(lie).url(),
                        "warmup.turns=2",
                        "max.lag=100000");
        var flags =
                new ArrayList<>(
                        List.of(
                                "-Xmx256m",
                                "-XX:TieredStopAtLevel=1",
                                "--add-opens=java.base/java.lang=ALL-UNNAMED"));
        Stream.concat(given, Stream.of(settings)).forEach(setting -> flags.add("-D" + setting));
        var arguments =
                List.of(
                        "--simulation",
                        ScrollSimulation.class.getName(),
                        "--results-folder",
                        folder.resolve(lie.name()).toString(),
                        "--no-reports");
        RUNS.put(lie, ChildJvm.start(Gatling.class, flags, arguments));
    }

    @Test
    void passesOnAnHonestServer() {
        assertThat(RUNS.get(Lie.NONE).exitCode()).as(RUNS.get(Lie.NONE).output()).isZero();

        var result = json(Lie.NONE);
        assertThat(result.path("verdict").asString()).isEqualTo("right");
        for (String operation : List.of("QUERY", "POST", "DELETE")) {
            assertThat(result.at("/operations/" + operation + "/requests").asInt()).isPositive();
        }
        assertThat(RUNS.get(Lie.NONE).output()).contains("p95 ms", "verdict: right");
    }

    @Test
    void aConnectionPerRequestIsOpenedIfConfigured() {
        RUNS.get(Lie.NONE).exitCode();
        var server = SERVERS.get(Lie.NONE);

        assertThat(server.requests()).isPositive().isEqualTo(server.closing());
    }

    @Test
    void failsWhenAnAcknowledgedReactionIsForgotten() {
        assertThat(RUNS.get(Lie.FORGETS_SOME).exitCode()).isNotZero();

        var result = json(Lie.FORGETS_SOME);
        assertThat(result.path("verdict").asString()).isEqualTo("wrong");
        assertThat(result.path("first_errors").toString()).contains("acknowledged on topic_0_0/");
    }

    @Test
    void failsOnANegativeCount() {
        assertThat(RUNS.get(Lie.COUNTS_BELOW_ZERO).exitCode()).isNotZero();

        assertThat(json(Lie.COUNTS_BELOW_ZERO).path("first_errors").toString())
                .contains("negative count of c on topic_0_0/");
    }

    @Test
    void refusalsDuringTheWarmUpAreCountedSeparately() {
        assertThat(RUNS.get(Lie.IS_BUSY_AT_FIRST).exitCode())
                .as(RUNS.get(Lie.IS_BUSY_AT_FIRST).output())
                .isZero();

        assertThat(json(Lie.IS_BUSY_AT_FIRST).path("verdict").asString()).isEqualTo("right");
        assertThat(json(Lie.IS_BUSY_AT_FIRST).path("failed_in_warmup").asInt()).isPositive();
    }

    @Test
    void failsWhenUsersFallBehind() {
        assertThat(RUNS.get(Lie.IS_SLOW).exitCode()).isNotZero();

        assertThat(json(Lie.IS_SLOW).path("verdict").asString()).isEqualTo("behind");
        assertThat(json(Lie.IS_SLOW).path("errors").asInt()).isZero();
    }

    private static JsonNode json(Lie lie) {
        return JsonMapper.shared().readTree(result(lie).toFile());
    }

    private static Path result(Lie lie) {
        return folder.resolve(lie + ".json");
    }

    @AfterAll
    static void stop() {
        RUNS.values().forEach(ChildJvm::close);
        SERVERS.values().forEach(SmallServer::close);
    }
}
