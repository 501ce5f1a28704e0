package dev.ovation.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.TestKeys;
import dev.ovation.testing.Beside;

import io.micrometer.core.instrument.MeterRegistry;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.IndicatedHealthDescriptor;

import java.nio.file.Path;
import java.util.Map;

/** The log shows operators the exposure of the service. */
@Beside
class ExposureReportTest {

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "auto,     '',   loopback, 0",
        "required, '',   closed,   0",
        "auto,     keys, guarded,  0",
        "open,     '',   open,     1"
    })
    void inHealthAndAsAMetric(String mode, String keys, String access, double open) {
        String file = keys.isEmpty() ? "" : new TestKeys(folder.resolve(keys)).file().toString();
        try (var service =
                GuardedService.start(
                        "ovation.access.mode=" + mode, "ovation.access.keys=" + file)) {
            var context = service.context();
            var health =
                    (IndicatedHealthDescriptor)
                            context.getBean(HealthEndpoint.class).healthForPath("access");

            assertThat(health.getStatus().getCode()).isEqualTo("UP");
            assertThat(health.getDetails()).containsExactlyEntriesOf(Map.of("access", access));
            assertThat(
                            context.getBean(MeterRegistry.class)
                                    .get("ovation.access.open")
                                    .gauge()
                                    .value())
                    .isEqualTo(open);
        }
    }
}
