package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.web.Http2Client;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Answers of 1 KB or more are compressed for clients that accept it. */
class CompressionApiTest extends ApiFixture {

    @Test
    void aScreenIsSentAsGzipAndReadsTheSame() {
        given("letters", "ann", "a");
        String screen = screen(200);
        Answer plain = service.send("POST", "/reactions/query", screen);
        Answer gzip = zipped("POST", "/reactions/query", screen);

        assertThat(gzip.body()).isEqualTo(plain.body());
        assertGzip(gzip);
        assertThat(header(plain, "Content-Encoding")).isNull();
        assertThat(length(plain)).isEqualTo(plain.body().getBytes(StandardCharsets.UTF_8).length);
        assertThat(length(gzip)).isLessThan(length(plain) / 4);
        assertThat(header(plain, "Vary")).isEqualTo("Accept-Encoding");
    }

    @Test
    void answersOfEachKindAreCompressed() {
        given("letters", "u".repeat(250), "a", "d");
        for (int i = 0; i < 10; i++) {
            given("letters", "u".repeat(200) + i, "e");
        }
        String operations =
                Instance.batch(
                        IntStream.range(0, 50).mapToObj(n -> operation("unknown" + n)).toList());
        String many = "/reactions/users?namespace_id=letters&entity_id=" + entity;

        assertGzip(zipped("GET", many, null));
        assertGzip(zipped("POST", "/reactions/batch", operations));
        assertGzip(zipped("POST", "/reactions/batch", operations.replace("add", "no")));
        assertGzip(zipped("GET", "/v3/api-docs", null));
        assertGzip(zipped("GET", "/v3/api-docs.yaml", null));
    }

    @Test
    void overHttp2Too() {
        byte[] body = screen(50).getBytes(StandardCharsets.UTF_8);
        Answer plain = Http2Client.send(service.port(), "POST", "/reactions/query", Map.of(), body);
        Answer gzip =
                Http2Client.send(
                        service.port(),
                        "POST",
                        "/reactions/query",
                        Map.of("Accept-Encoding", "gzip"),
                        body);

        assertGzip(gzip);
        assertThat(gzip.body()).isEqualTo(plain.body());
        assertThat(length(gzip)).isLessThan(length(plain));
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "br, zstd", "gzip;q=0, *"})
    void aClientThatDoesNotAcceptGzipGetsNone(String accepted) {
        Answer answer =
                service.send("POST", "/reactions/query", screen(50), "Accept-Encoding", accepted);

        assertThat(header(answer, "Content-Encoding")).isNull();
        assertThat(answer.json().get("entities").size()).isEqualTo(50);
    }

    @Test
    void smallAnswersAreNotCompressed() {
        Answer answer = zipped("GET", reads(), null);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(header(answer, "Content-Encoding")).isNull();
        assertThat(header(answer, "Vary")).isNull();
        assertThat(header(answer, "ETag")).startsWith("\"");
    }

    /** The compressed bytes are others, so only their weak tag can be the same. */
    @Test
    void theTagOfACompressedAnswerIsWeakAndMatches() {
        String screen = screen(50);
        Answer plain = service.send("POST", "/reactions/query", screen);
        Answer gzip = zipped("POST", "/reactions/query", screen);
        String strong = header(plain, "ETag");
        String weak = header(gzip, "ETag");

        assertThat(weak).isEqualTo("W/" + strong);
        for (String tag : List.of(strong, weak)) {
            Answer same =
                    service.send(
                            "POST",
                            "/reactions/query",
                            screen,
                            "Accept-Encoding",
                            "gzip",
                            "If-None-Match",
                            tag);
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.body()).isEmpty();
            assertThat(header(same, "ETag")).isEqualTo(weak);
            assertThat(header(same, "Vary")).isEqualTo("Accept-Encoding");
            assertThat(header(same, "Content-Encoding")).isNull();
        }
    }

    @Test
    void aPutAcceptsTheTagOfACompressedRead() {
        String user = "u".repeat(256);
        given("posts", user, "👍", "❤️", "🎉", "☺", "é", "👩‍💻");
        Answer read = zipped("GET", reads() + "&details=true&user_id=" + user, null);
        String wish = Instance.setBody("posts", entity, user, List.of("👍"));
        String tag = header(read, "ETag");

        assertGzip(read);
        assertThat(service.send("PUT", "/reactions", wish, "If-Match", tag).status())
                .isEqualTo(200);
        assertRefused(
                service.send("PUT", "/reactions", wish, "If-Match", tag),
                412,
                "precondition-failed");
    }

    @Test
    void aHeadRequestNamesTheLengthOfTheCompressedBody() {
        Answer get = zipped("GET", "/v3/api-docs", null);
        Answer head = zipped("HEAD", "/v3/api-docs", null);

        assertGzip(head);
        assertThat(head.body()).isEmpty();
        assertThat(length(head)).isEqualTo(length(get));
    }

    @Test
    void exportsAreStreamsAndStayAsTheyAre() {
        given("letters", "ann", "a", "d", "e");
        Answer export = zipped("GET", "/exports?kind=reactions&namespace_id=letters", null);

        assertThat(export.status()).isEqualTo(200);
        assertThat(header(export, "Content-Encoding")).isNull();
    }

    private String reads() {
        return "/reactions?namespace_id=posts&entity_id=" + entity;
    }

    private Answer zipped(String method, String target, String body) {
        return service.send(method, target, body, "Accept-Encoding", "gzip, deflate, br");
    }

    private static void assertGzip(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isLessThan(500);
        assertThat(header(answer, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(answer, "Vary")).isEqualTo("Accept-Encoding");
        assertThat(length(answer)).isPositive();
    }

    private static int length(Answer answer) {
        return Integer.parseInt(header(answer, "Content-Length"));
    }

    /** A query for this test's entity and others. */
    private String screen(int entities) {
        return JsonMapper.shared()
                .writeValueAsString(
                        Map.of(
                                "namespace_id",
                                "letters",
                                "details",
                                true,
                                "entities",
                                Stream.concat(
                                                Stream.of(entity),
                                                IntStream.range(1, entities)
                                                        .mapToObj(n -> entity + n))
                                        .toList()));
    }

    private Map<String, String> operation(String reaction) {
        return Instance.operation("add", "letters", entity, "ann", reaction);
    }
}
