package dev.ovation.rules.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.constraint.AttributeType.Declaration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.json.JsonMapper;

/** Stored declarations, which a newer release may have written. */
class AttributeTypeTest {

    private final JsonMapper json = JsonMapper.builder().build();

    @ParameterizedTest
    @ValueSource(strings = {"\"token\"", "\"header\"", "[\"token\"]", "{\"token\":\"roles\"}", "1"})
    void aBodyDoesNotBringAnAttributeOfAnotherSource(String source) {
        var declaration = read("{\"type\":\"list\",\"from\":%s}".formatted(source));

        assertThat(declaration.type()).isEqualTo("list");
        assertThat(declaration.isFromBody()).isFalse();
    }

    @Test
    void aBodyBringsAnAttributeWithoutASource() {
        assertThat(read("\"int\"")).isEqualTo(new Declaration("int", null));
        assertThat(read("{\"type\":\"int\",\"from\":null}"))
                .isEqualTo(new Declaration("int", null));
    }

    private Declaration read(String text) {
        return json.readValue(text, Declaration.class);
    }
}
