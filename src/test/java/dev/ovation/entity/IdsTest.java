package dev.ovation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "A.b_c-9", "..", "0"})
    void namespacesOfTheFormAreAccepted(String id) {
        assertThat(Ids.isNamespace(id)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "ä", "a\n", "\uFF21"})
    void namespacesOfAnotherFormAreNot(String id) {
        assertThat(Ids.isNamespace(id)).isFalse();
    }

    @Test
    void aNamespaceHasUpTo64Characters() {
        assertThat(Ids.isNamespace("n".repeat(64))).isTrue();
        assertThat(Ids.isNamespace("n".repeat(65))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "/ \\ ; % .. | { } :", "\uD83D\uDC69\u200D\uD83D\uDCBB", "\u00A0"})
    void otherIdsMayHoldAnythingPrintable(String id) {
        assertThat(Ids.problem(id)).isNull();
    }

    @Test
    void aPrintableTextTurnsNoLineAndStandsInOne() {
        assertThat(Ids.printable("a\u202eb\u2028c\u2066d\ufeff"))
                .isEqualTo("a\\u202eb\\u2028c\\u2066d\\ufeff");
        assertThat(Ids.printable("\n\\u202e\udb40\udc41"))
                .isEqualTo("\\u000a\\u005cu202e\\udb40\\udc41");
    }

    @Test
    void visibleTextIsPrintedAsItIs() {
        String seen = "\uD83D\uDC69\u200D\uD83D\uDCBB \u05d0 \u2764\uFE0F \u00e9 {a=1}";

        assertThat(Ids.printable(seen)).isEqualTo(seen);
    }

    @Test
    void lengthCountsInBytesOfUtf8() {
        assertThat(Ids.problem("\uD83D\uDC4D".repeat(64))).isNull();
        assertThat(Ids.problem("\uD83D\uDC4D".repeat(64) + "a"))
                .isEqualTo("must not be longer than 256 bytes");
        assertThat(Ids.problem("x".repeat(256))).isNull();
        assertThat(Ids.problem("x".repeat(257))).isEqualTo("must not be longer than 256 bytes");
    }

    @ParameterizedTest
    @CsvSource({"0, U+0000", "31, U+001F", "127, U+007F", "128, U+0080", "159, U+009F"})
    void controlCharactersAreNamed(int character, String name) {
        assertThat(Ids.problem("a" + (char) character))
                .isEqualTo("must not contain the control character " + name);
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 126, 160})
    void theirNeighboursAreAllowed(int character) {
        assertThat(Ids.problem("a" + (char) character)).isNull();
    }

    @Test
    void unpairedSurrogatesAreNamed() {
        assertThat(Ids.problem("\uD83D"))
                .isEqualTo("must not contain the unpaired surrogate U+D83D");
        assertThat(Ids.problem("\uD83Dx"))
                .isEqualTo("must not contain the unpaired surrogate U+D83D");
        assertThat(Ids.problem("\uDC4D\uD83D"))
                .isEqualTo("must not contain the unpaired surrogate U+DC4D");
    }

    @Test
    void anIdIsNotEmpty() {
        assertThat(Ids.problem("")).isEqualTo("must not be empty");
    }
}
