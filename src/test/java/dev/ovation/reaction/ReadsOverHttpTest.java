package dev.ovation.reaction;

import static dev.ovation.web.RawHttp.head;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.ReactionCount;
import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.List;

class ReadsOverHttpTest extends ReactionsHttpFixture {

    @Test
    void withoutAUserCountsAreForEveryCacheAndSayTheirAge() {
        reactions.nextView = view(null, List.of(), 3);
        Reply reply = get("namespace_id=namespace&entity_id=e&user_id=");

        assertThat(reply.body())
                .isEqualTo(
                        "{\"entity_id\":\"e\",\"reactions_count\":[{\"reaction_id\":\"👍\",\"count\":2}]}");
        assertThat(reply.header("Cache-Control")).isEqualTo("public, max-age=7");
        assertThat(reply.header("Age")).isEqualTo("3");
    }

    @Test
    void withAUserAnAnswerIsPrivate() {
        Reply reply = get("namespace_id=namespace&entity_id=x&user_id=u");

        assertThat(reply.header("Cache-Control")).isEqualTo("private, no-cache");
        assertThat(reply.header("Age")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"viewer_id=v", "viewer_id=v&user_id=v", "viewer_id=v&user_id=", "user_id=v"})
    void viewerIdAndUserIdMeanTheSame(String query) {
        assertThat(get("namespace_id=namespace&entity_id=x&" + query).body())
                .endsWith("\"user_reactions\":{\"user_id\":\"v\",\"reactions\":[]}}");
    }

    @ParameterizedTest
    @CsvSource({
        "entity_id=e,                                                   namespace_id",
        "namespace_id=a%20b&entity_id=e,                                namespace_id",
        "namespace_id=namespace,                                        entity_id",
        "namespace_id=namespace&entity_id=,                             entity_id",
        "namespace_id=namespace&entity_id=e&user_id=%00,                user_id",
        "namespace_id=namespace&entity_id=e&viewer_id=%C2%80,           viewer_id",
        "namespace_id=namespace&entity_id=e&viewer_id=v&user_id=u,      viewer_id",
        "namespace_id=namespace&entity_id=e&details=yes,                details",
        "namespace_id=namespace&entity_id=e&details=,                   details",
        "namespace_id=namespace&entity_id=e&entity_id=e,                entity_id"
    })
    void invalidParametersOfAReadAreNamed(String query, String field) {
        assertViolations(get(query), field);
    }

    @Test
    void detailsAddTimesRetirementVersionAndTotal() {
        reactions.nextView =
                new EntityView(
                        "e",
                        "1.7",
                        List.of(
                                new ReactionCount(
                                        "👍",
                                        2,
                                        1_700_000_000_123_999L,
                                        1_700_000_060_000_000L,
                                        false,
                                        null),
                                new ReactionCount("old", 1, 0, 1_000, true, null)),
                        "u",
                        List.of("old"),
                        0);

        assertThat(detailed("&user_id=u"))
                .isEqualTo(
                        "{\"entity_id\":\"e\",\"reactions_count\":["
                                + "{\"reaction_id\":\"👍\",\"count\":2,"
                                + "\"first_reacted_at\":\"2023-11-14T22:13:20.123Z\","
                                + "\"last_reacted_at\":\"2023-11-14T22:14:20.000Z\"},"
                                + "{\"reaction_id\":\"old\",\"count\":1,"
                                + "\"first_reacted_at\":\"1970-01-01T00:00:00.000Z\","
                                + "\"last_reacted_at\":\"1970-01-01T00:00:00.001Z\","
                                + "\"retired\":true}],"
                                + "\"user_reactions\":{\"user_id\":\"u\",\"reactions\":[\"old\"]},"
                                + "\"version\":\"1.7\",\"total\":3}");
    }

    @Test
    void ratingsHaveASumAndAnAverageOverThoseWithAValue() {
        reactions.nextView =
                new EntityView(
                        "e",
                        "1.7",
                        List.of(rating("5", 2), rating("4.5", 1), rating(null, 9)),
                        null,
                        List.of(),
                        0);

        assertThat(detailed(""))
                .endsWith("\"version\":\"1.7\",\"total\":12,\"sum\":14.5,\"average\":4.8333}");
    }

    @Test
    void aRoundAverageHasNoZerosAtItsEnd() {
        reactions.nextView =
                new EntityView("e", "1.7", List.of(rating("10", 10)), null, List.of(), 0);

        assertThat(detailed("")).endsWith("\"total\":10,\"sum\":100,\"average\":10}");
    }

    @Test
    void aMatchingETagIsAnsweredWith304AndCacheHeaders() {
        reactions.nextView = view(null, List.of(), 0);
        Reply first = get("namespace_id=namespace&entity_id=e");
        reactions.nextView = view(null, List.of(), 5);
        String line = "If-None-Match: " + first.header("ETag");
        String target = "/reactions?namespace_id=namespace&entity_id=e";
        Reply second = RawHttp.send(port, head("GET", target, line), "");

        assertThat(second.status()).isEqualTo(304);
        assertThat(second.body()).isEmpty();
        assertThat(second.header("ETag")).isEqualTo(first.header("ETag"));
        assertThat(second.header("Cache-Control")).isEqualTo("public, max-age=7");
        assertThat(second.header("Age")).isEqualTo("5");
    }

    @Test
    void headHasTheHeaderOfGetAndNoBody() {
        String target = "/reactions?namespace_id=namespace&entity_id=never-seen";
        Reply get = RawHttp.get(port, target);
        Reply reply = RawHttp.send(port, head("HEAD", target), "");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEmpty();
        assertThat(reply.header("ETag")).isEqualTo(get.header("ETag"));
        assertThat(reply.header("Content-Length")).isEqualTo(get.header("Content-Length"));
    }

    @Test
    void anUnknownNamespaceIs404ToAReadWithoutAnOutcome() {
        Reply reply = get("namespace_id=unknown&entity_id=e");

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.body())
                .contains("\"code\":\"unknown-namespace\"")
                .doesNotContain("outcome");
    }

    private String detailed(String more) {
        return withoutHash(get("namespace_id=namespace&entity_id=e&details=true" + more).body());
    }

    private static EntityView view(String user, List<String> own, long age) {
        var count = new ReactionCount("👍", 2, 0, 0, false, null);
        return new EntityView("e", "1.7", List.of(count), user, own, age);
    }

    private static ReactionCount rating(String value, long count) {
        BigDecimal number = value == null ? null : new BigDecimal(value);
        return new ReactionCount("★" + value, count, 0, 0, false, number);
    }
}
