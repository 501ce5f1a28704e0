package dev.ovation.pcc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PccCursorTest {

    @ParameterizedTest
    @CsvSource({
        "false, 1,                1,    2049",
        "true,  1,                1,    3073",
        "false, 1,                1023, 3071",
        "true,  0,                1,    1025",
        "false, 1780000000000000, 1,    3645440000000000001",
        "true,  9007199254740991, 1023, 18446744073709551615"
    })
    void isANumberAndBack(boolean others, long at, int rank, String number) {
        var cursor = new PccCursor(others, at, rank);

        assertThat(Long.toUnsignedString(cursor.number())).isEqualTo(number);
        assertThat(PccCursor.of(Long.parseUnsignedLong(number))).isEqualTo(cursor);
    }

    @Test
    void zeroIsTheBeginning() {
        assertThat(PccCursor.of(0)).isNull();
    }
}
