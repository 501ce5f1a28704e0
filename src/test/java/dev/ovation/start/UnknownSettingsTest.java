package dev.ovation.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.Ovation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import java.util.LinkedHashMap;
import java.util.Map;

/** Names under {@code ovation} that are no settings. */
@Isolated
@ExtendWith(OutputCaptureExtension.class)
class UnknownSettingsTest {

    @ParameterizedTest
    @CsvSource({
        "ovation.hot.tll, ovation.hot.ttl",
        "ovation.near-cache.max-agee, ovation.near-cache.max-age",
        "ovation.request.writes, ovation.requests.writes",
        "ovation.partition, ovation.partitions",
        "ovation.access.mode.x, ovation.access.mode",
    })
    void anUnknownPropertyIsRefusedWithTheNearestName(String name, String nearest) {
        assertThatThrownBy(() -> UnknownSettings.check(properties(name)))
                .isInstanceOf(UnknownSettingsException.class)
                .hasMessageContaining(name)
                .hasMessageEndingWith("is no setting; the nearest name is " + nearest);
    }

    @Test
    void eachUnknownPropertyHasALine() {
        assertThatThrownBy(() -> UnknownSettings.check(properties("ovation.a", "ovation.b")))
                .hasMessageMatching("(?s)ovation\\.a .+\\R?ovation\\.b .+");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ovation.hot.ttl",
                "ovation.nearCache.maxAge",
                "ovation.near_cache.max_age",
                "ovation.cors.allowed-origins[0]",
                "ovation.access.endpoints.caches",
                "ovation.internal.hot.lease",
                "ovationary.any",
                "server.port"
            })
    void otherNamesAreAccepted(String name) {
        assertThatCode(() -> UnknownSettings.check(properties(name))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "OVATION_HOT_TLL, OVATION_HOT_TTL",
        "OVATION_CONFIGDIRECTORY, OVATION_CONFIG_DIR",
    })
    void anUnknownVariableIsLoggedWithTheNearestName(
            String name, String nearest, CapturedOutput output) {
        UnknownSettings.check(variable(name));

        assertThat(output.getOut())
                .contains("Variable " + name + " is no setting; the nearest name is " + nearest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OVATION_HOT_TTL",
                "OVATION_NEARCACHE_MAXAGE",
                "OVATION_CORS_ALLOWED_ORIGINS_0",
                "OVATION_ACCESS_ENDPOINTS_HEALTH",
                "OVATION_INTERNAL_HOT_LEASE",
                "OVATION_HTTP_HTTP2",
                "OVATION_URL",
                "OVATION_SERVICE_HOST",
                "OVATION_PORT_8080_TCP",
                "OTHER"
            })
    void otherVariablesAreNotLogged(String name, CapturedOutput output) {
        UnknownSettings.check(variable(name));

        assertThat(output.getOut()).doesNotContain("is no setting");
    }

    /** The failure comes before any server is asked, and shows no value. */
    @Test
    void aStartEndsWithTheNames(CapturedOutput output) {
        assertThatThrownBy(
                        () ->
                                SpringApplication.run(
                                        Ovation.class,
                                        "--spring.datasource.url=jdbc:postgresql://127.0.0.1:1/any",
                                        "--spring.data.redis.url=redis://127.0.0.1:1",
                                        "--ovation.access.key=hidden"))
                .hasMessageContaining("ovation.access.key");
        assertThat(output.getAll())
                .contains("the nearest name is ovation.access.keys")
                .contains("Correct the name, or remove it.")
                .doesNotContain("hidden")
                .doesNotContain("\tat ");
    }

    private static ConfigurableEnvironment properties(String... names) {
        var values = new LinkedHashMap<String, Object>();
        for (String name : names) {
            values.put(name, "1");
        }
        var environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", values));
        return environment;
    }

    private static ConfigurableEnvironment variable(String name) {
        var environment = new StandardEnvironment();
        String source = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        environment
                .getPropertySources()
                .replace(source, new SystemEnvironmentPropertySource(source, Map.of(name, "1")));
        return environment;
    }
}
