package dev.ovation.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;

class PartitionsTest {

    private static final int EVERY_VALUE = 1 << 16;

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "posts -> 1 -> 10462",
                "posts -> 42 -> 37518",
                "videos -> a/b\\c;d%e..f|g{h}i:j -> 26400",
                "posts -> 🏳️‍🌈 -> 12674"
            })
    void areTheCrc16OfNamespaceAndEntityInUtf8(String namespace, String entity, int crc) {
        var key = new EntityKey(namespace, entity);

        assertThat(new Partitions(EVERY_VALUE).of(key)).isEqualTo(crc);
        assertThat(new Partitions(64).of(key)).isEqualTo(crc % 64);
        assertThat(new Partitions(1).of(key)).isZero();
    }

    @Test
    void areTheXmodemVariantByItsCheckValue() {
        assertThat(xmodem("123456789")).isEqualTo(0x31C3);

        for (int i = 0; i < 377; i++) {
            var key = new EntityKey("n" + i, "e" + i + "👍🏽");
            assertThat(new Partitions(EVERY_VALUE).of(key))
                    .isEqualTo(xmodem("n" + i + ":e" + i + "👍🏽"));
        }
    }

    @Test
    void areAllUsed() {
        var used = new BitSet();
        for (int i = 0; i < 3777; i++) {
            used.set(new Partitions(64).of(new EntityKey("posts", "" + i)));
        }

        assertThat(used.cardinality()).isEqualTo(64);
        assertThat(used.length()).isEqualTo(64);
    }

    @Test
    void areAtLeastOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Partitions(0));
    }

    /** CRC-16/XMODEM, bit by bit: polynomial 0x1021, starting with 0. */
    private static int xmodem(String text) {
        int crc = 0;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (b & 0xFF) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
                crc &= 0xFFFF;
            }
        }
        return crc;
    }
}
