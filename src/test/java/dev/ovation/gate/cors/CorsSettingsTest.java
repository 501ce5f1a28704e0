package dev.ovation.gate.cors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Valid origins, and contradictory settings. */
class CorsSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://app.example.com",
                "https://APP.example.com",
                "http://localhost:3000",
                "http://[::1]:8443",
                "https://app.example.com:8443",
                "https://app.example.com:80",
                "capacitor://localhost",
                "*"
            })
    void anOriginIsTaken(String origin) {
        Cors cors = Cors.of(settings(origin));

        assertThat(cors.allows(origin)).isTrue();
        assertThat(cors.allows("https://other.example")).isEqualTo(origin.equals("*"));
        assertThat(cors.allowsAll()).isEqualTo(origin.equals("*"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "app.example.com",
                "//app.example.com",
                "https://",
                "https://app.example.com/",
                "https://app.example.com/path",
                "https://app.example.com?query",
                "https://app.example.com:443",
                "http://app.example.com:80",
                "https://user@app.example.com",
                "https://*.example.com",
                "https://a.example https://b.example"
            })
    void aValueThatNoBrowserSendsAsOriginIsRefused(String origin) {
        assertThatThrownBy(() -> settings(origin))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ovation.cors.allowed-origins: \"" + origin + "\"");
    }

    @Test
    void allOriginsWithCredentialsAreRefused() {
        assertThatThrownBy(() -> new CorsSettings(List.of("https://a.example", "*"), true))
                .hasMessageContaining("ovation.cors.allow-credentials");
    }

    @Test
    void withoutAnOriginNoneIsAllowed() {
        Cors cors = Cors.of(new CorsSettings(List.of(), false));

        assertThat(cors).isSameAs(Cors.NONE);
        assertThat(cors.allows("https://app.example.com")).isFalse();
    }

    private static CorsSettings settings(String origin) {
        return new CorsSettings(List.of(origin), false);
    }
}
