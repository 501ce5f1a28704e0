package dev.ovation.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class PageCursorTest {

    private static final String ODD = "/ \\ ; % é 👩‍💻 \u00a0";

    private final PageCursor cursor = PageCursor.of("list", ODD, true);

    @Test
    void aPlaceComesBack() {
        String text = cursor.at(-7L, ODD, "");

        assertThat(text).matches("[A-Za-z0-9_-]+");
        List<String> place = PageCursor.of("list", ODD, true).read(text, parts -> parts);
        assertThat(place).containsExactly("-7", ODD, "");
    }

    @Test
    void withoutOneTheListBegins() {
        assertThat(read(null)).isNull();
        assertThat(read("")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AAAA", "AAAAAAAAAAAAAAAA", "!", "é", "AAAA=", "\n"})
    void anInvalidCursorIsRefused(String text) {
        assertRefused(text);
    }

    @Test
    void noCharacterCanBeAnother() {
        String text = cursor.at(123, ODD);
        for (int i = 0; i < text.length() - 1; i++) {
            var changed = new StringBuilder(text);
            changed.setCharAt(i, text.charAt(i) == 'A' ? 'g' : 'A');
            assertRefused(changed.toString());
        }
    }

    @Test
    void theOneOfAnotherQuestionIsRefused() {
        assertRefused(PageCursor.of("list", ODD, false).at(1));
    }

    @Test
    void aPlaceOfAnotherFormIsRefused() {
        assertThatThrownBy(() -> cursor.read(cursor.at("x"), parts -> Long.valueOf(parts.get(0))))
                .hasMessageStartingWith("invalid-cursor");
    }

    private void assertRefused(String text) {
        assertThatThrownBy(() -> read(text)).hasMessageStartingWith("invalid-cursor");
    }

    private List<String> read(String text) {
        return cursor.read(text, parts -> parts);
    }
}
