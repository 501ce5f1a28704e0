package dev.ovation.transfer.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileTimesTest {

    @Test
    void areWrittenInEitherForm() throws Exception {
        assertThat(FileTimes.micros("1000")).isEqualTo(1_000_000);
        assertThat(FileTimes.micros("1970-01-01T00:00:01Z")).isEqualTo(1_000_000);
        assertThat(FileTimes.micros("1970-01-01T02:00:01.000002+02:00")).isEqualTo(1_000_002);
        assertThat(FileTimes.micros(FileTimes.text(1_763_000_000_123_456L)))
                .isEqualTo(1_763_000_000_123_456L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "-1",
                "1.5",
                "99999999999999999",
                "1700000000000000",
                "1969-12-31T23:59:59Z",
                "2025-01-01",
                "2025-02-30T00:00:00Z",
                "9999-01-01T00:00:00Z"
            })
    void anInvalidTimeIsRefused(String text) {
        assertThatThrownBy(() -> FileTimes.micros(text)).isInstanceOf(BadRowException.class);
    }
}
