package dev.ovation.reaction;

import static dev.ovation.web.RawHttp.head;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;

/** The HTTP form of reactions over {@link FakeReactions}, and requests to it. */
@SpringBootTest(
        classes = ReactionsTestApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "ovation.near-cache.max-age=7s")
abstract class ReactionsHttpFixture {

    static final String IDS =
            "{\"namespace_id\":\"namespace\",\"entity_id\":\"e\",\"user_id\":\"u\",\"reaction_id\":\"r\"}";
    static final String IDS_AS_QUERY = "namespace_id=namespace&entity_id=e&user_id=u&reaction_id=r";
    @LocalServerPort int port;
    @Autowired FakeReactions reactions;

    /** All classes of these tests share one application. */
    @BeforeEach
    void forget() {
        reactions.forget();
    }

    Reply get(String query) {
        return RawHttp.get(port, "/reactions?" + query);
    }

    Reply send(String method, String target, String body, String... lines) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return RawHttp.send(
                port, head(method, target, lines) + "Content-Length: " + length + "\r\n", body);
    }

    /** Removes from the versions of a body the hash of its content. */
    static String withoutHash(String body) {
        return body.replaceAll("(\"version\":\"1\\.7)\\.[A-Za-z0-9_-]{22}\"", "$1\"");
    }

    static void assertViolations(Reply reply, String... fields) {
        assertThat(reply.status()).isEqualTo(400);
        var problem = new JsonMapper().readTree(reply.body());
        assertThat(problem.get("code").stringValue()).isEqualTo("malformed-request");
        assertThat(
                        problem.get("violations")
                                .valueStream()
                                .map(each -> each.get("field").stringValue()))
                .containsExactly(fields);
    }
}
