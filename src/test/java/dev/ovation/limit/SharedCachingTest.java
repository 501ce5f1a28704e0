package dev.ovation.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.web.http.HttpAnswer;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

class SharedCachingTest {

    private static final Set<Scope> READ = Set.of(Scope.REACTIONS_READ);

    private final SharedCaching caching = new SharedCaching(Duration.ofMillis(7_900));

    @Test
    void anAnswerToEverybodyIsPublicForWholeSeconds() throws IOException {
        MockHttpServletResponse response = marked(Principal.open());

        assertThat(response.getHeader("Cache-Control")).isEqualTo("public, max-age=7");
        assertThat(response.getHeader("Vary")).isNull();
    }

    /** A cache must ask again for a request with a credential. */
    @Test
    void withoutACredentialItIsPublicAndVaries() throws IOException {
        MockHttpServletResponse response = marked(Principal.anonymous(READ, "log in"));

        assertThat(response.getHeader("Cache-Control")).isEqualTo("public, max-age=7");
        assertThat(response.getHeader("Vary")).isEqualTo("Authorization, X-Api-Key");
    }

    @Test
    void withACredentialItIsPrivate() throws IOException {
        MockHttpServletResponse response = marked(Principal.backend("key", READ, null, Map.of()));

        assertThat(response.getHeader("Cache-Control")).isEqualTo("private, max-age=7");
    }

    private MockHttpServletResponse marked(Principal caller) throws IOException {
        var request = new MockHttpServletRequest();
        caller.enter(request);
        var response = new MockHttpServletResponse();
        caching.mark(HttpAnswer.text("a"), request).writeTo(request, response);
        return response;
    }
}
