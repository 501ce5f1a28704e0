package dev.ovation.reaction;

import static dev.ovation.web.RawHttp.head;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.ChangeKind;
import dev.ovation.reaction.write.Command;
import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;
import dev.ovation.web.problem.Problems;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

class WritesOverHttpTest extends ReactionsHttpFixture {

    private static final Command ADD =
            new Command(ChangeKind.ADD, "namespace", "e", "u", "r", false, false, null);
    private static final Command REMOVE =
            new Command(ChangeKind.REMOVE, "namespace", "e", "u", "r", false, false, null);

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
                                ChangeKind.ADD,
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
    void invalidQueryParametersOfAPostAreNamed(String query, String field) {
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
    void preferReturnRepresentationAnswersTheStateAfterTheWrite(String prefer) {
        String body = IDS.replace("\"e\"", "\"" + prefer.replaceAll("\\W", "") + "\"");
        Reply reply = send("POST", "/reactions", body, "Prefer: " + prefer);

        assertThat(reply.header("Preference-Applied")).isEqualTo("return=representation");
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(withoutHash(reply.body()))
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
    void otherPreferencesGetTheShortAnswer(String prefer) {
        Reply reply = send("DELETE", "/reactions", IDS, "Prefer: " + prefer);

        assertThat(reply.body()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(reply.header("Preference-Applied")).isNull();
    }

    @Test
    void anUnknownOutcomeIsA503WithRetryAfter() {
        reactions.nextFailure =
                Problems.outcomeUnknown("the commit was not seen", Duration.ofSeconds(2));
        Reply reply = send("POST", "/reactions", IDS);

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.header("Retry-After")).isEqualTo("2");
        assertThat(reply.body())
                .contains("\"code\":\"outcome-unknown\"", "\"outcome\":\"unknown\"");
    }
}
