package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.start.StoppedBeside;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The chart and the compose file give an instance more time for its stop than a stop can take. */
class StopTimesTest {

    /** Constant of {@code SdkTracerProvider#close}. */
    private static final long TRACES = 10;

    private static final List<String> BACKGROUND =
            List.of(
                    "background.Background",
                    "job.JobWorker",
                    "store.replica.ReplicaWatch",
                    "webhook.WebhookWorker");

    @Test
    void theGracePeriodOfPodsCoversAStop() throws Exception {
        String pods = read("docker/chart/templates/deployment.yaml");
        long fixed =
                number(
                        pods,
                        "terminationGracePeriodSeconds: \\{\\{ add (\\d+) \\(mul 2 \\.Values\\.stopSeconds\\)");
        long preStop = number(pods, "preStop: \\{sleep: \\{seconds: (\\d+)");

        assertThat(fixed).isGreaterThanOrEqualTo(preStop + withoutRequests());
    }

    @Test
    void theGracePeriodOfContainersCoversAStop() throws Exception {
        long requests =
                number(read("src/main/resources/application.yaml"), "SHUTDOWN_TIMEOUT:(\\d+)s");
        assertThat(number(read("docker/chart/values.yaml"), "stopSeconds: (\\d+)"))
                .isEqualTo(requests);

        assertThat(number(read("docker/production/compose.yaml"), "stop_grace_period: (8\\d)s"))
                .isGreaterThanOrEqualTo(2 * requests + withoutRequests());
    }

    /** Otherwise their waits would add up. */
    @Test
    void theBackgroundStopsSideBySide() throws Exception {
        for (String each : BACKGROUND) {
            assertThat(StoppedBeside.class).isAssignableFrom(type(each));
        }
    }

    /** Seconds that the phases below the servers and the traces may take. */
    private static long withoutRequests() throws Exception {
        Duration jobs = setting("job.JobSettings$JobConstants", "lease");
        assertThat(constant("background.Background", "PATIENCE")).isLessThan(jobs);
        assertThat(constant("store.replica.ReplicaWatch", "PATIENCE")).isLessThan(jobs);
        assertThat(constant("webhook.WebhookWorker", "PATIENCE")).isLessThan(jobs);
        Duration relay = constant("outbox.relay.Relay", "STOP");
        Duration recovery =
                setting("hot.state.HotSettings$HotConstants", "commandTimeout").multipliedBy(2);
        assertThat(StoppedBeside.LIMIT).isGreaterThan(jobs);
        return StoppedBeside.LIMIT.plus(relay).plus(recovery).toSeconds() + TRACES;
    }

    private static Duration constant(String type, String name) throws Exception {
        var field = type(type).getDeclaredField(name);
        field.setAccessible(true);
        return (Duration) field.get(null);
    }

    private static Duration setting(String type, String name) throws Exception {
        return Arrays.stream(type(type).getDeclaredConstructors())
                .map(Constructor::getParameters)
                .flatMap(Arrays::stream)
                .filter(each -> each.getName().equals(name))
                .map(StopTimesTest::seconds)
                .findFirst()
                .orElseThrow();
    }

    private static Duration seconds(Parameter parameter) {
        String value = parameter.getAnnotation(DefaultValue.class).value()[0];
        return Duration.parse("PT" + value);
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName("dev.ovation." + name);
    }

    private static long number(String text, String pattern) {
        var found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(pattern).isTrue();
        return Long.parseLong(found.group(1));
    }

    private static String read(String file) throws IOException {
        return Files.readString(Path.of(file));
    }
}
