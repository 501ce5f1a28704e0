package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/** Requests of operators and their load balancers. */
class HealthApiTest extends ApiFixture {

    @Test
    void healthNamesEveryPart() {
        JsonNode health = healthy(service);

        assertThat(text(health, "status")).isEqualTo("UP");
        assertThat(health.get("components").propertyNames())
                .contains(
                        "redis",
                        "postgres",
                        "relay",
                        "reads",
                        "configuration",
                        "access",
                        "livenessState",
                        "readinessState");
    }

    @Test
    @Tag("one-redis")
    void healthReportsTheDetailsOfItsComponents() {
        JsonNode components = healthy(service).get("components");

        assertThat(text(components.at("/redis/details"), "incarnation")).matches("[0-9a-f]{40}");
        JsonNode relay = components.at("/relay/details");
        assertThat(relay.get("partitions").intValue()).isEqualTo(PARTITIONS);
        assertThat(relay.get("attached_partitions").intValue()).isEqualTo(PARTITIONS);
        assertThat(relay.get("stuck").booleanValue()).isFalse();
        JsonNode configuration = components.at("/configuration/details");
        assertThat(configuration.get("version").longValue()).isPositive();
        assertThat(text(configuration, "source")).isNotBlank();
        assertThat(text(components.at("/access/details"), "access")).isEqualTo("loopback");
    }

    @Test
    void theServiceIsAliveAndReady() {
        for (String probe : new String[] {"liveness", "readiness"}) {
            Answer answer = service.get("/actuator/health/" + probe);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(text(answer.json(), "status")).isEqualTo("UP");
            assertThat(answer.headers()).containsEntry("content-type", "application/json");
        }
    }

    @Test
    @Tag("one-redis")
    void aRedisOutageAffectsOnlyWritesAndHealthReportsItsStart() {
        given("letters", "ann", "a");
        Instant before = Instant.now();
        TwoInstances.redisProcess().kill();
        try {
            Wait.until("Redis counts as down", () -> status(service, "redis").equals("DOWN"));

            Instant since =
                    Instant.parse(text(health(service).at("/components/redis/details"), "since"));
            assertThat(since).isBetween(before, Instant.now());
            Wait.until(
                    "health shows the reason",
                    () ->
                            health(service)
                                    .at("/components/redis/details/reason")
                                    .asString("")
                                    .toLowerCase(Locale.ROOT)
                                    .contains("connect"));
            assertThat(counts("letters")).isEqualTo("a 1");
            assertThat(own("letters", "ann")).containsExactly("a");
            Answer refused = add("letters", "ben", "a");
            assertRefused(refused, 503, "unavailable");
            assertThat(Integer.parseInt(header(refused, "Retry-After"))).isPositive();
            Answer unhealthy = service.get("/actuator/health");
            assertThat(unhealthy.status()).isEqualTo(503);
            assertThat(header(unhealthy, "X-Request-Id")).matches("[0-9a-f]{32}");
            assertThat(service.get("/actuator/health/liveness").status()).isEqualTo(200);
            assertThat(service.get("/actuator/health/readiness").status()).isEqualTo(200);
        } finally {
            TwoInstances.redisProcess().restart();
        }
        Wait.until("Redis is up again", () -> status(service, "redis").equals("UP"));
        TwoInstances.allAnew();
        Wait.until("writes are accepted again", this::isAccepted);
        assertThat(counts("letters")).isEqualTo("a 2");
    }

    /** A write may be refused or unanswered while a connection is being restored. */
    private boolean isAccepted() {
        Answer write = post("?if_exists=ok", "letters", "ben", "a");
        if (write.status() == 503) {
            return false;
        }
        assertOk(write);
        return true;
    }

    /** The loss that an earlier test caused may be detected only now. */
    private static JsonNode healthy(Instance instance) {
        var health = new AtomicReference<JsonNode>();
        Wait.until(
                "health is UP",
                () -> {
                    health.set(health(instance));
                    return text(health.get(), "status").equals("UP");
                });
        return health.get();
    }

    private static JsonNode health(Instance instance) {
        return instance.get("/actuator/health").json();
    }

    private static String status(Instance instance, String component) {
        return text(health(instance).at("/components/" + component), "status");
    }
}
