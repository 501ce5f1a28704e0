package dev.ovation.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "posts", "A.b_c-9", "..", "0"})
    void aNamespaceIsLettersDigitsDotsUnderscoresAndHyphens(String id) {
        assertThat(Ids.isNamespace(id)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "é", "a\n", "🙂", "a:b"})
    void nothingElseIsANamespace(String id) {
        assertThat(Ids.isNamespace(id)).isFalse();
    }

    @Test
    void aNamespaceHas64CharactersAtMost() {
        assertThat(Ids.isNamespace("x".repeat(64))).isTrue();
        assertThat(Ids.isNamespace("x".repeat(65))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "👍🏽", "👩‍💻", "❤️", "🏳️‍🌈", "/", "\\", ";", "%", "..", "|", "{}", ":", " ",
                "\u00a0"
            })
    void anIdMayHoldWhateverIsNotAControlCharacter(String id) {
        assertThat(Ids.violation(id)).isNull();
    }

    @Test
    void anIdIsMeasuredInBytesOfUtf8() {
        assertThat(Ids.violation("x".repeat(256))).isNull();
        assertThat(Ids.violation("x".repeat(257))).contains("256 bytes");
        assertThat(Ids.violation("é".repeat(128))).isNull();
        assertThat(Ids.violation("é".repeat(128) + "x")).contains("256 bytes");
        assertThat(Ids.violation("€".repeat(85) + "x")).isNull();
        assertThat(Ids.violation("€".repeat(86))).contains("256 bytes");
        assertThat(Ids.violation("👍".repeat(64))).isNull();
        assertThat(Ids.violation("👍".repeat(64) + "x")).contains("256 bytes");
    }

    @ParameterizedTest
    @ValueSource(chars = {'\u0000', '\t', '\n', '\u001f', '\u007f', '\u0080', '\u009f'})
    void aControlCharacterIsAViolation(char control) {
        assertThat(Ids.violation("a" + control + "b")).contains("control");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "\udc4d", "a\ud83db", "\udc4d\ud83d", "👍\ud83d"})
    void anUnpairedSurrogateIsAViolation(String id) {
        assertThat(Ids.violation(id)).contains("surrogate");
    }

    @Test
    void whatIsMissingAndWhatIsWrongIsNamedAtOnce() {
        var violations = new Violations();
        String namespace = Ids.namespace("namespace_id", "a b", violations);
        String entity = Ids.id("entity_id", null, violations);
        String user = Ids.id("user_id", "u", violations);

        assertThat(namespace).isEmpty();
        assertThat(entity).isEmpty();
        assertThat(user).isEqualTo("u");
        assertThatThrownBy(violations::throwIfAny)
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining(
                        "namespace_id must be 1 to 64 letters, digits, dots, underscores or"
                                + " hyphens; entity_id is missing");
    }
}
