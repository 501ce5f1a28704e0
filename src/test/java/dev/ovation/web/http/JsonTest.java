package dev.ovation.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The expected bytes are those of Go 1.21's encoding/json. */
class JsonTest {

    record Example(String reactionId, Integer maxUniq, List<String> list, String absent) {}

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "<, \\u003c",
                ">, \\u003e",
                "&, \\u0026",
                "\", \\\"",
                "\\, \\\\",
                "~\n~, \\n",
                "~\r~, \\r",
                "~\t~, \\t",
                "~\b~, \\u0008",
                "~\f~, \\u000c",
                "~\u0001~, \\u0001",
                "~\u001f~, \\u001f",
                "~\u2028~, \\u2028",
                "~\u2029~, \\u2029",
                "~\u007f~, ~\u007f~",
                "/, /",
                "', '",
                "`, `",
                "👩‍💻, 👩‍💻",
                "❤️, ❤️",
                "é, é"
            })
    void aStringIsEscapedAsGoDoes(String text, String escaped) {
        assertThat(written(text)).isEqualTo('"' + escaped + '"');
        assertThat(written("a" + text + "b👍")).isEqualTo("\"a" + escaped + "b👍\"");
    }

    /** No id contains it, but a problem may quote one from a body and must not fail. */
    @Test
    void anUnpairedSurrogateStaysAnEscape() {
        assertThat(written("\udc4d👍\ud83d")).isEqualTo("\"\\udc4d👍\\ud83d\"");
    }

    @Test
    void aLongStringOfEmojiStaysLiteral() {
        String text = "x" + "👍🏽".repeat(5_000) + "<";

        assertThat(written(text)).isEqualTo("\"x" + "👍🏽".repeat(5_000) + "\\u003c\"");
    }

    @Test
    void aRecordKeepsItsOrderInSnakeCaseWithoutItsNulls() {
        assertThat(written(new Example("a", 1, List.of(), null)))
                .isEqualTo("{\"reaction_id\":\"a\",\"max_uniq\":1,\"list\":[]}");
    }

    @Test
    void aNumberIsWrittenPlainly() {
        assertThat(written(new BigDecimal("1E+2"))).isEqualTo("100");
        assertThat(written(new BigDecimal("4.25"))).isEqualTo("4.25");
    }

    private static String written(Object value) {
        return new String(Json.bytes(value), StandardCharsets.UTF_8);
    }
}
