package dev.ovation.reaction.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

class SharedViewTest {

    private final SharedView shared = view("1.7", 2);

    @Test
    void theJsonIsThatOfTheOlderService() {
        assertThat(new String(shared.json(), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"entity_id\":\"e\",\"reactions_count\":"
                                + "[{\"reaction_id\":\"👍\",\"count\":2}]}");
    }

    @Test
    void theAnswerIsTheJsonWithATagOfItsBytes() throws IOException {
        var first = answer(shared, "");
        assertThat(first.getContentAsByteArray()).isEqualTo(shared.json());

        String tag = first.getHeader("ETag");
        assertThat(answer(shared, tag).getStatus()).isEqualTo(304);
        assertThat(answer(view("1.8", 2), tag).getStatus()).isEqualTo(304);
        assertThat(answer(view("1.8", 3), tag).getStatus()).isEqualTo(200);
    }

    @Test
    void eachFormIsRenderedOnce() {
        assertThat(shared.json()).isSameAs(shared.json());
        assertThat(shared.version()).isSameAs(shared.version());
    }

    @Test
    void eachVersionStartsWithTheState() {
        assertThat(List.of(shared.version(), shared.version("ann", List.of("👍"))))
                .doesNotHaveDuplicates()
                .allSatisfy(version -> assertThat(version).startsWith("1.7."));
    }

    @Test
    void noOtherViewerOrReactionsGiveTheSameVersion() {
        assertThat(
                        List.of(
                                shared.version("a", List.of()),
                                shared.version("a", List.of("b")),
                                shared.version("a", List.of("b", "c")),
                                shared.version("a", List.of("c", "b")),
                                shared.version("a", List.of("bc")),
                                shared.version("ab", List.of("c")),
                                shared.version("a b", List.of("c"))))
                .doesNotHaveDuplicates();
    }

    private static SharedView view(String state, long count) {
        return new SharedView(
                "e",
                state,
                List.of(new ReactionCount("👍", count, 5_000, 9_000, false, null)),
                count,
                false);
    }

    /** The answer to a client with this tag, or none. */
    private static MockHttpServletResponse answer(SharedView view, String tag) throws IOException {
        var request = new MockHttpServletRequest();
        if (!tag.isEmpty()) {
            request.addHeader("If-None-Match", tag);
        }
        var response = new MockHttpServletResponse();
        view.answer().conditional(request).writeTo(request, response);
        return response;
    }
}
