package dev.ovation.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Every call of the Reactions Storage service's own client, as its bytes on the wire (Go's
 * net/http, no Content-Type, a connection each, ids not percent-encoded), and the bytes of its
 * answer.
 *
 * <p>The service under test has a namespace {@code namespace} with the set {@code reaction_set} of
 * {@code reaction1} to {@code reaction3} and {@code free_reaction1} to {@code free_reaction6}, at
 * most 5 kinds per entity, and the exclusive groups {@code [reaction1, reaction2]} and {@code
 * [reaction2, reaction3]}. Each test has an entity of its own, so that no data must be removed.
 */
abstract class PredecessorClientContract {

    private static final String OK = "{\"status\":\"ok\"}";

    private final String entity = "topic_0_3/" + UUID.randomUUID();

    /** Port of the service under test on this machine. */
    abstract int port();

    @Test
    void anUntouchedEntityIsEmpty() {
        assertOk(
                get("user"),
                "{\"entity_id\":\"%s\",\"reactions_count\":[],".formatted(entity)
                        + "\"user_reactions\":{\"user_id\":\"user\",\"reactions\":[]}}");
    }

    @Test
    void aReactionIsAddedShownAndTakenBack() {
        assertOk(add("user_000001", "reaction1"), OK);
        assertOk(
                get("user_000001"),
                shown(
                        "{\"reaction_id\":\"reaction1\",\"count\":1}",
                        "user_000001",
                        "\"reaction1\""));
        assertOk(remove("user_000001", "reaction1"), OK);
        assertOk(get("user_000001"), shown("", "user_000001", ""));
    }

    @Test
    void reactionsOfAllUsersAreCountedAndTheUsersOwnAreNamed() {
        assertOk(add("a", "reaction1"), OK);
        assertOk(add("b", "reaction3"), OK);
        assertOk(add("c", "reaction3"), OK);

        assertOk(
                get("a"),
                shown(
                        "{\"reaction_id\":\"reaction3\",\"count\":2},"
                                + "{\"reaction_id\":\"reaction1\",\"count\":1}",
                        "a",
                        "\"reaction1\""));
    }

    @Test
    void theSameReactionAgainIsForbiddenAlsoByForce() {
        assertOk(add("user", "reaction1"), OK);

        assertRefused(
                add("user", "reaction1"), "reaction `reaction1` already exists for user `user`");
    }

    @Test
    void aConflictIsForbiddenWithoutForce() {
        assertOk(add("user", "reaction1"), OK);
        assertOk(add("user", "reaction3"), OK);

        assertRefused(
                send("POST", "/reactions", body("user", "reaction2")),
                "reaction `reaction2` conflicts with other reactions: [reaction1 reaction3]");
    }

    @Test
    void forceReplacesAConflictingReaction() {
        assertOk(add("user", "reaction1"), OK);
        assertOk(add("user", "reaction2"), OK);

        assertOk(
                get("user"),
                shown("{\"reaction_id\":\"reaction2\",\"count\":1}", "user", "\"reaction2\""));
    }

    @Test
    void theSixthKindIsForbiddenAlsoByForce() {
        for (int i = 1; i <= 5; i++) {
            assertOk(add("user", "free_reaction" + i), OK);
        }

        assertRefused(add("user", "free_reaction6"), "max unique reactions reached for entity");
    }

    @Test
    void removingAnAbsentReactionIsAnsweredOk() {
        assertOk(remove("nobody", "reaction1"), OK);
    }

    @Test
    void anUnknownNamespaceIsForbidden() {
        String body = body("user", "reaction1").replace("\"namespace\"", "\"unknown\"");

        assertRefused(send("POST", "/reactions", body), "Namespace `unknown` not found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{}", "null", "{\"namespace_id\":\"namespace\"}", "{\"user_id\":1}"})
    void aBodyThatMissesSomethingIsABadRequest(String body) {
        assertThat(send("POST", "/reactions", body).status()).isEqualTo(400);
        assertThat(send("DELETE", "/reactions", body).status()).isEqualTo(400);
    }

    @Test
    void emojiAndHtmlInIdsComeBackAsGoWritesThem() {
        String odd = "<👩‍💻&" + entity + ">";
        String target = "/reactions?namespace_id=namespace&entity_id=%s&user_id=ü";
        Reply reply = send("GET", target.formatted(odd.replace("&", "%26")), null);

        assertOk(
                reply,
                ("{\"entity_id\":\"\\u003c👩‍💻\\u0026%s\\u003e\",\"reactions_count\":[],"
                                + "\"user_reactions\":{\"user_id\":\"ü\",\"reactions\":[]}}")
                        .formatted(entity));
    }

    @Test
    void theNamespaceIsDescribed() {
        assertOk(
                send("GET", "/configuration/namespace?namespace_id=namespace", null),
                "{\"namespace\":{\"id\":\"namespace\",\"reaction_set_id\":\"reaction_set\","
                        + "\"max_uniq_reactions\":5,\"mutually_exclusive_reactions\":"
                        + "[[\"reaction1\",\"reaction2\"],[\"reaction2\",\"reaction3\"]]}}");
    }

    /** The client reads only the ids, of members named {@code id} in any case. */
    @Test
    void theReactionsAreListed() {
        Reply reply =
                send("GET", "/configuration/available_reactions?namespace_id=namespace", null);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).startsWith("{\"reactions\":[{\"id\":\"reaction1\",");
    }

    @ParameterizedTest
    @ValueSource(strings = {"namespace", "available_reactions"})
    void anUnknownNamespaceIsNotFound(String what) {
        Reply reply = send("GET", "/configuration/" + what + "?namespace_id=unknown", null);

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.body()).contains("\"error\":\"Namespace `unknown` not found\"");
    }

    @Test
    void theServiceIsThere() {
        assertThat(send("GET", "/ping", null).body()).isEqualTo("pong");
        assertThat(send("GET", "/", null).body()).isEqualTo("{\"status\":\"Ok\"}");
    }

    private Reply get(String user) {
        String target = "/reactions?namespace_id=namespace&entity_id=%s&user_id=%s";
        return send("GET", target.formatted(entity, user), null);
    }

    /** The client always forces. */
    private Reply add(String user, String reaction) {
        return send("POST", "/reactions?force=true", body(user, reaction));
    }

    private Reply remove(String user, String reaction) {
        return send("DELETE", "/reactions", body(user, reaction));
    }

    private String body(String user, String reaction) {
        return "{\"namespace_id\":\"namespace\",\"entity_id\":\"%s\",\"reaction_id\":\"%s\",\"user_id\":\"%s\"}"
                .formatted(entity, reaction, user);
    }

    private String shown(String counts, String user, String reactions) {
        return "{\"entity_id\":\"%s\",\"reactions_count\":[%s],\"user_reactions\":{\"user_id\":\"%s\",\"reactions\":[%s]}}"
                .formatted(entity, counts, user, reactions);
    }

    private Reply send(String method, String target, String body) {
        String head =
                "%s %s HTTP/1.1\r\nHost: localhost:%d\r\nUser-Agent: Go-http-client/1.1\r\n"
                        .formatted(method, target, port());
        if (body != null) {
            head += "Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n";
        }
        head += "Accept-Encoding: gzip\r\nConnection: close\r\n";
        return RawHttp.send(port(), head, body == null ? "" : body);
    }

    private static void assertOk(Reply reply, String body) {
        assertThat(reply.body()).isEqualTo(body);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).isEqualTo("application/json; charset=utf-8");
        assertThat(reply.header("Content-Length"))
                .isEqualTo("" + body.getBytes(StandardCharsets.UTF_8).length);
        assertThat(reply.header("Connection")).isEqualTo("close");
    }

    private static void assertRefused(Reply reply, String error) {
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.body()).contains("\"error\":\"" + error + "\"");
    }
}
