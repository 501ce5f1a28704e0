package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** What tests say of the parts of the service, while one of them is down. */
public final class Parts {

    private Parts() {}

    static void awaitDown(Instance service, String part) {
        awaitHealth(service, "/components/" + part + "/status", "DOWN");
    }

    static void awaitAllUp(Instance service) {
        awaitHealth(service, "/status", "UP");
    }

    private static void awaitHealth(Instance service, String pointer, String status) {
        Wait.until(
                pointer + " is " + status,
                Duration.ofSeconds(60),
                () -> health(service, pointer).equals(status));
    }

    /** The relay gives up on new writes, though nobody waits any more. */
    static boolean isStuck(Instance service) {
        var relay = service.get("/actuator/health").json().at("/components/relay/details");
        return relay.at("/stuck").asBoolean() && relay.at("/oldest_wait_ms").asLong() == 0;
    }

    /** Health says since when a part is down. */
    static void assertSince(Instance service, String part) {
        var since = health(service, "/components/" + part + "/details/since");
        assertThat(Instant.parse(since)).isBeforeOrEqualTo(Instant.now());
    }

    private static String health(Instance service, String pointer) {
        return service.get("/actuator/health").json().at(pointer).asString();
    }

    static void assertReadiness(Instance service, int status) {
        assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(status);
    }

    /** Liveness depends on nothing. */
    static void assertAlive(Instance service) {
        assertThat(service.get("/actuator/health/liveness").status()).isEqualTo(200);
    }

    /** A write that changed nothing. */
    static void assertRefused(Answer write) {
        assertUnavailable(write);
        assertThat(write.json().at("/outcome").asString()).isEqualTo("refused");
    }

    /** Repeats a write that is refused while a connection is made anew still; it fails else. */
    public static void awaitAccepted(Supplier<Answer> write) {
        Wait.until(
                "a write is accepted",
                () -> {
                    var answer = write.get();
                    if (answer.status() == 200) {
                        return true;
                    }
                    assertRefused(answer);
                    return false;
                });
    }

    /** The metric of problems names this bound as the cause of a refusal. */
    static void assertCause(Instance service, String cause) {
        String series =
                "ovation_problems_total{cause=\"%s\",code=\"unavailable\"} ".formatted(cause);
        Wait.until(
                cause + " is named",
                () ->
                        service.get("/actuator/prometheus")
                                .body()
                                .lines()
                                .filter(line -> line.startsWith(series))
                                .anyMatch(line -> !line.endsWith(" 0.0")));
    }

    /** A write of which nobody knows what became. */
    static void assertUnknown(Answer write) {
        assertThat(write.status()).as(write.body()).isEqualTo(503);
        assertThat(Crowd.code(write)).isEqualTo("outcome-unknown");
        assertThat(write.json().at("/outcome").asString()).isEqualTo("unknown");
        assertThat(write.headers()).containsKey("retry-after");
    }

    /** A read or a write that may be repeated later. */
    static void assertUnavailable(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(Crowd.code(answer)).isEqualTo("unavailable");
        assertThat(answer.headers()).containsKey("retry-after");
    }

    /** Asks for many entities of one namespace as one user sees them. */
    static Answer screen(Instance service, String viewer, String... entities) {
        String list = "\"" + String.join("\",\"", entities) + "\"";
        return service.send(
                "POST",
                "/reactions/query",
                "{\"namespace_id\":\"%s\",\"viewer_id\":\"%s\",\"entities\":[%s]}"
                        .formatted(Stage.POSTS, viewer, list));
    }
}
