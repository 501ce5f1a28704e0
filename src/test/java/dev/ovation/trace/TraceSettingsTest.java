package dev.ovation.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.mock.env.MockEnvironment;

class TraceSettingsTest {

    private final MockEnvironment settings =
            new MockEnvironment().withProperty(TraceSettings.SHARE, "0.01");

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.25", "1"})
    void aShareIsANumberFromZeroToOne(String share) {
        settings.setProperty(TraceSettings.SHARE, share);

        assertThat(TraceSettings.share(settings)).isEqualTo(Double.parseDouble(share));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.1", "1.01", "NaN", "1%", ""})
    void anotherShareStopsTheStart(String share) {
        settings.setProperty(TraceSettings.SHARE, share);

        assertRefused(TraceSettings.SHARE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"collector:4318", "grpc://collector:4317", "http://", "a b"})
    void anEndpointThatIsNoUrlStopsTheStart(String endpoint) {
        settings.setProperty(TraceSettings.ENDPOINT, endpoint);

        assertRefused(TraceSettings.ENDPOINT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://collector:4318/v1/traces", "https://10.0.0.1/otlp", ""})
    void aUrlAndNoneAreFine(String endpoint) {
        settings.setProperty(TraceSettings.ENDPOINT, endpoint);

        assertThat(TraceSettings.share(settings)).isEqualTo(0.01);
    }

    private void assertRefused(String name) {
        assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
                .isThrownBy(() -> TraceSettings.share(settings))
                .satisfies(e -> assertThat(e.getName()).isEqualTo(name));
    }
}
