package dev.ovation.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class IdFieldsTest {

    @Test
    void whatIsMissingAndWhatIsWrongIsNamedAtOnce() {
        var violations = new Violations();
        String namespace = IdFields.namespace("namespace_id", "a b", violations);
        String entity = IdFields.id("entity_id", null, violations);
        String user = IdFields.id("user_id", "u", violations);

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
