package dev.ovation.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class CursorTest {

    private static final String ODD = "/ \\ ; % é 👩‍💻 \u00a0";

    private final Cursor cursor = Cursor.of("list", ODD, true);
    private final Violations violations = new Violations();

    @Test
    void aPlaceComesBack() {
        String text = cursor.at(-7L, ODD, "");

        assertThat(text).matches("[A-Za-z0-9_-]+");
        List<String> place = Cursor.of("list", ODD, true).read(text, parts -> parts, violations);
        assertThat(place).containsExactly("-7", ODD, "");
        assertThatCode(violations::throwIfAny).doesNotThrowAnyException();
    }

    @Test
    void withoutOneTheListBegins() {
        assertThat(read(null)).isNull();
        assertThat(read("")).isNull();
        assertThatCode(violations::throwIfAny).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AAAA", "AAAAAAAAAAAAAAAA", "!", "é", "AAAA=", "\n"})
    void whatIsNoneIsAViolation(String text) {
        assertThat(read(text)).isNull();
        assertThatThrownBy(violations::throwIfAny).hasMessageContaining("cursor");
    }

    @Test
    void noCharacterCanBeAnother() {
        String text = cursor.at(123, ODD);
        for (int i = 0; i < text.length() - 1; i++) {
            var changed = new StringBuilder(text);
            changed.setCharAt(i, text.charAt(i) == 'A' ? 'g' : 'A');
            String place = cursor.read(changed.toString(), List::getFirst, new Violations());
            assertThat(place).isNull();
        }
    }

    @Test
    void theOneOfAnotherQuestionIsAViolation() {
        assertThat(read(Cursor.of("list", ODD, false).at(1))).isNull();
        assertThatThrownBy(violations::throwIfAny).hasMessageContaining("cursor");
    }

    @Test
    void aPlaceOfAnotherFormIsAViolation() {
        Long place = cursor.read(cursor.at("x"), parts -> Long.valueOf(parts.get(0)), violations);

        assertThat(place).isNull();
        assertThatThrownBy(violations::throwIfAny).hasMessageContaining("cursor");
    }

    private List<String> read(String text) {
        return cursor.read(text, parts -> parts, violations);
    }
}
