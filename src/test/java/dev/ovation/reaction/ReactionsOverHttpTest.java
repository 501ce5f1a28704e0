package dev.ovation.reaction;

import static dev.ovation.web.RawHttp.head;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.Problems;
import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

@SpringBootTest(
        classes = ReactionsTestApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "ovation.reads.max-age=7s")
class ReactionsOverHttpTest {

    private static final String IDS =
            "{\"namespace_id\":\"namespace\",\"entity_id\":\"e\",\"user_id\":\"u\",\"reaction_id\":\"r\"}";
    private static final String IDS_AS_QUERY =
            "namespace_id=namespace&entity_id=e&user_id=u&reaction_id=r";
    private static final Command ADD =
            new Command(Command.Kind.ADD, "namespace", "e", "u", "r", false, false, null);
    private static final Command REMOVE =
            new Command(Command.Kind.REMOVE, "namespace", "e", "u", "r", false, false, null);

    @LocalServerPort int port;
    @Autowired FakeReactions reactions;

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
    void whatIsWrongWithAReadIsNamed(String query, String field) {
        assertViolations(get(query), field);
    }

    @Test
    void detailsAddWhatElseIsKnown() {
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

        assertThat(get("namespace_id=namespace&entity_id=e&user_id=u&details=true").body())
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

        assertThat(get("namespace_id=namespace&entity_id=e&details=true").body())
                .endsWith("\"version\":\"1.7\",\"total\":12,\"sum\":14.5,\"average\":4.8333}");
    }

    @Test
    void aRoundAverageHasNoZerosAtItsEnd() {
        reactions.nextView =
                new EntityView("e", "1.7", List.of(rating("10", 10)), null, List.of(), 0);

        assertThat(get("namespace_id=namespace&entity_id=e&details=true").body())
                .endsWith("\"total\":10,\"sum\":100,\"average\":10}");
    }

    @Test
    void whoHasTheAnswerAlreadyIsToldSoWithTheSameCaching() {
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

    @ParameterizedTest
    @CsvSource({
        "'',                            false, false",
        "?force=false&if_exists=error,  false, false",
        "?force=true,                   true,  false",
        "?if_exists=ok,                 false, true",
        "?force=true&if_exists=ok,      true,  true"
    })
    void aPostAdds(String query, boolean force, boolean existingIsFine) {
        Reply reply = send("POST", "/reactions" + query, IDS);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reactions.lastCommand)
                .isEqualTo(
                        new Command(
                                Command.Kind.ADD,
                                "namespace",
                                "e",
                                "u",
                                "r",
                                force,
                                existingIsFine,
                                null));
        send("DELETE", "/reactions", IDS);
    }

    @Test
    void plainCurlCallsItAFormAndIsUnderstood() {
        String form = "Content-Type: application/x-www-form-urlencoded";

        assertThat(send("POST", "/reactions", IDS, form).body()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(reactions.lastCommand).isEqualTo(ADD);
        assertThat(send("DELETE", "/reactions", IDS, form).body()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(reactions.lastCommand).isEqualTo(REMOVE);
    }

    @ParameterizedTest
    @CsvSource({
        "?force=yes,     force",
        "?force=,        force",
        "?force=True,    force",
        "?if_exists=no,  if_exists"
    })
    void whatIsWrongWithTheWayOfAPostIsNamed(String query, String field) {
        assertViolations(send("POST", "/reactions" + query, IDS), field);
    }

    @Test
    void everythingThatIsWrongWithAPostIsNamedAtOnce() {
        Reply reply =
                send(
                        "POST",
                        "/reactions?force=1",
                        "{\"namespace_id\":\"/\",\"entity_id\":7,\"user_id\":\"\"}",
                        "Idempotency-Key: two words");

        assertViolations(
                reply,
                "force",
                "namespace_id",
                "entity_id",
                "user_id",
                "reaction_id",
                "Idempotency-Key");
        assertThat(reply.body()).contains("\"outcome\":\"refused\"");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            delimiter = '|',
            value = {
                "~~                  | " + IDS,
                "?" + IDS_AS_QUERY + " | ~~",
                "?" + IDS_AS_QUERY + " | " + IDS,
                "?user_id=           | " + IDS,
                "?reaction_id=r      | {\"namespace_id\":\"namespace\",\"entity_id\":\"e\",\"user_id\":\"u\"}"
            })
    void aDeleteNamesTheReactionInItsBodyOrItsQueryOrBoth(String query, String body) {
        reactions.lastCommand = null;

        assertThat(send("DELETE", "/reactions" + query, body).body())
                .isEqualTo("{\"status\":\"ok\"}");
        assertThat(reactions.lastCommand).isEqualTo(REMOVE);
    }

    @Test
    void aDeleteWhoseBodyAndQueryDifferIsRefused() {
        String query = IDS_AS_QUERY.replace("=e", "=other").replace("=r", "=other");

        assertViolations(send("DELETE", "/reactions?" + query, IDS), "entity_id", "reaction_id");
    }

    @Test
    void aDeleteThatNamesNothingIsRefused() {
        assertViolations(
                RawHttp.send(port, head("DELETE", "/reactions"), ""),
                "namespace_id",
                "entity_id",
                "user_id",
                "reaction_id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return=representation",
                "Return=Representation",
                "wait=10, return=representation; x=y",
                "return=\"representation\""
            })
    void whoPrefersItGetsTheStateAfterTheWrite(String prefer) {
        String body = IDS.replace("\"e\"", "\"" + prefer.replaceAll("\\W", "") + "\"");
        Reply reply = send("POST", "/reactions", body, "Prefer: " + prefer);

        assertThat(reply.header("Preference-Applied")).isEqualTo("return=representation");
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reply.body())
                .startsWith(
                        "{\"status\":\"ok\",\"outcome\":\"applied\",\"added\":[\"r\"],\"removed\":[],"
                                + "\"entity\":{\"entity_id\":")
                .endsWith(
                        "\"user_reactions\":{\"user_id\":\"u\",\"reactions\":[\"r\"]},"
                                + "\"version\":\"1.7\",\"total\":1}}");
        send("DELETE", "/reactions", body);
    }

    @Test
    void nothingToRemoveIsUnchanged() {
        assertThat(send("DELETE", "/reactions", IDS, "Prefer: return=representation").body())
                .startsWith(
                        "{\"status\":\"ok\",\"outcome\":\"unchanged\",\"added\":[],\"removed\":[],");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"return=minimal", "respond-async", "return=minimal, return=representation"})
    void whoPrefersSomethingElseGetsTheShortAnswer(String prefer) {
        Reply reply = send("DELETE", "/reactions", IDS, "Prefer: " + prefer);

        assertThat(reply.body()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(reply.header("Preference-Applied")).isNull();
    }

    @Test
    void aKeyComesWithAHashOfWhatIsAskedButNotOfTheFormOfTheAnswer() {
        IdempotencyKey key = keyOf("DELETE", "/reactions", IDS);

        assertThat(key.value()).isEqualTo("k-1");
        assertThat(key.requestHash()).matches("[0-9a-f]{64}");
        assertThat(keyOf("DELETE", "/reactions", " " + IDS, "Prefer: return=representation"))
                .isEqualTo(key);
        assertThat(keyOf("DELETE", "/reactions?" + IDS_AS_QUERY, IDS)).isEqualTo(key);
    }

    @Test
    void everyPartOfTheRequestMakesAnotherHash() {
        List<String> hashes =
                List.of(
                        keyOf("DELETE", "/reactions", IDS).requestHash(),
                        keyOf("DELETE", "/reactions", IDS.replace("\"e\"", "\"f\"")).requestHash(),
                        keyOf("DELETE", "/reactions", IDS.replace("\"u\"", "\"v\"")).requestHash(),
                        keyOf("DELETE", "/reactions", IDS.replace("\"r\"", "\"s\"")).requestHash(),
                        keyOf("POST", "/reactions?if_exists=ok", IDS).requestHash(),
                        keyOf("POST", "/reactions?if_exists=ok&force=true", IDS).requestHash());

        assertThat(hashes).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "é", "LONG"})
    void aKeyThatIsNoneIsRefused(String value) {
        String key = value.equals("LONG") ? "x".repeat(256) : value;

        assertViolations(
                send("DELETE", "/reactions", IDS, "Idempotency-Key: " + key), "Idempotency-Key");
    }

    @Test
    void twoKeysAreRefused() {
        assertViolations(
                send("DELETE", "/reactions", IDS, "Idempotency-Key: a", "Idempotency-Key: b"),
                "Idempotency-Key");
    }

    @Test
    void anUnknownOutcomeIsToldAsOne() {
        reactions.nextFailure =
                Problems.outcomeUnknown("the commit was not seen", Duration.ofSeconds(2));
        Reply reply = send("POST", "/reactions", IDS);

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.header("Retry-After")).isEqualTo("2");
        assertThat(reply.body())
                .contains("\"code\":\"outcome-unknown\"", "\"outcome\":\"unknown\"");
    }

    @Test
    void anUnknownNamespaceIs404ToAReadWithoutAnOutcome() {
        Reply reply = get("namespace_id=unknown&entity_id=e");

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.body())
                .contains("\"code\":\"unknown-namespace\"")
                .doesNotContain("outcome");
    }

    private IdempotencyKey keyOf(String method, String target, String body, String... lines) {
        String[] all = Arrays.copyOf(lines, lines.length + 1);
        all[lines.length] = "Idempotency-Key:  k-1 ";
        assertThat(send(method, target, body, all).status()).isEqualTo(200);
        return reactions.lastCommand.key();
    }

    private static EntityView view(String user, List<String> own, long age) {
        var count = new ReactionCount("👍", 2, 0, 0, false, null);
        return new EntityView("e", "1.7", List.of(count), user, own, age);
    }

    private static ReactionCount rating(String value, long count) {
        BigDecimal number = value == null ? null : new BigDecimal(value);
        return new ReactionCount("★" + value, count, 0, 0, false, number);
    }

    private Reply get(String query) {
        return RawHttp.get(port, "/reactions?" + query);
    }

    private Reply send(String method, String target, String body, String... lines) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return RawHttp.send(
                port, head(method, target, lines) + "Content-Length: " + length + "\r\n", body);
    }

    /** Exactly these fields are named, in this order. */
    private static void assertViolations(Reply reply, String... fields) {
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
