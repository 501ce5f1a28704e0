package dev.ovation.reaction.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.problem.RequestViolations;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class IfMatchTest {

    /** As many tags as a header may contain. */
    @Test
    void aListMayBeLong() {
        var request = new MockHttpServletRequest();
        request.addHeader("If-Match", "\"a\",".repeat(4_000) + "\"b\"");
        var violations = new RequestViolations();

        assertThat(IfMatch.of(request, null, violations).tags())
                .containsExactlyInAnyOrder("\"a\"", "\"b\"");
        violations.throwIfAny();
    }
}
