package dev.ovation.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {

    @ParameterizedTest
    @CsvSource({"30/10s, 30, 10", "10/1m, 10, 60", "999999999/24h, 999999999, 86400"})
    void isAQuotaWithinAWindow(String text, long quota, long seconds) {
        Rate rate = Rate.of(text);

        assertThat(rate.quota()).isEqualTo(quota);
        assertThat(rate.window().toSeconds()).isEqualTo(seconds);
        assertThat(rate.isLimited()).isTrue();
        assertThat(Rate.of(rate.toString())).isEqualTo(rate);
    }

    @Test
    void mayBeNone() {
        assertThat(Rate.of("none").isLimited()).isFalse();
        assertThat(Rate.of("none")).hasToString("none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "30",
                "30/s",
                "0/1s",
                "30/0s",
                "-1/1s",
                "1000000000/1s",
                "30/10",
                "30/10ms",
                "30/25h",
                "30/1441m",
                "1.5/1s",
                "30/10S",
                " 30/10s",
                "NONE"
            })
    void hasNoOtherForm(String text) {
        assertThatThrownBy(() -> Rate.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("30/10s");
    }
}
