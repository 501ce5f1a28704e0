package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** Assertions on answers and health while a part of the service is down. */
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

    /** Whether the relay counts as stuck and refuses new writes, although no request waits. */
    static boolean isStuck(Instance service) {
        var relay = service.get("/actuator/health").json().at("/components/relay/details");
        return relay.at("/stuck").asBoolean() && relay.at("/oldest_wait_ms").asLong() == 0;
    }

    /** Asserts that health shows since when a part is down. */
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

    /** Asserts that liveness does not depend on the parts. */
    static void assertAlive(Instance service) {
        assertThat(service.get("/actuator/health/liveness").status()).isEqualTo(200);
    }

    /** Asserts that a write was refused without a change. */
    public static void assertRefused(Answer write) {
        assertUnavailable(write);
        assertThat(write.json().at("/outcome").asString()).isEqualTo("refused");
    }

    /** Repeats a write that is refused until a connection is restored; other answers fail. */
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

    /**
     * Repeats a write that may be repeated, also after an unknown outcome: a server or this JVM may
     * pause for longer than a request may take. Other answers fail.
     */
    public static void awaitTaken(Supplier<Answer> write) {
        Wait.until(
                "a write is taken",
                () -> {
                    var answer = write.get();
                    assertThat(answer.status()).as(answer.body()).isIn(200, 503);
                    return answer.status() == 200;
                });
    }

    /** Asserts that the metric of problems names this bound as the cause of a refusal. */
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

    /** Asserts that the outcome of a write is unknown. */
    static void assertUnknown(Answer write) {
        assertThat(write.status()).as(write.body()).isEqualTo(503);
        assertThat(Crowd.code(write)).isEqualTo("outcome-unknown");
        assertThat(write.json().at("/outcome").asString()).isEqualTo("unknown");
        assertThat(write.headers()).containsKey("retry-after");
    }

    /** Asserts that a read or a write may be repeated later. */
    static void assertUnavailable(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(Crowd.code(answer)).isEqualTo("unavailable");
        assertThat(answer.headers()).containsKey("retry-after");
    }

    /** Requests many entities of one namespace for one viewer. */
    static Answer screen(Instance service, String viewer, String... entities) {
        String list = "\"" + String.join("\",\"", entities) + "\"";
        return service.send(
                "POST",
                "/reactions/query",
                "{\"namespace_id\":\"%s\",\"viewer_id\":\"%s\",\"entities\":[%s]}"
                        .formatted(Stage.POSTS, viewer, list));
    }
}
