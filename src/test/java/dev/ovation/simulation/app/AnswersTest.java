package dev.ovation.simulation.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;

class AnswersTest {

    private final Entity entity =
            new Entity(
                    new Namespace("n", List.of("a", "b"), Set.of(), 2, List.of(), false, false),
                    "e");
    private final Entity limited =
            new Entity(
                    new Namespace("n", List.of("a", "b"), Set.of("b"), 2, List.of(), true, false),
                    "e");

    @Test
    void aReadThatAgreesIsRight() {
        assertThat(get(200, answer("e", "u", ""))).isEqualTo(Verdict.RIGHT);
    }

    @Test
    void aReadOfAnotherEntityOrUserIsAnError() {
        assertThat(get(200, answer("f", "u", "")).isError()).isTrue();
        assertThat(get(200, answer("e", "v", "")).isError()).isTrue();
    }

    @Test
    void anAcknowledgedReactionMustBeInTheNextRead() {
        get(200, answer("e", "u", ""));
        assertThat(post(200, "{\"status\":\"ok\"}")).isEqualTo(Verdict.RIGHT);

        assertThat(get(200, answer("e", "u", "")).detail()).contains("acknowledged on e: [a]");
    }

    @Test
    void aRefusalThatNamesTheLimitIsLegal() {
        var verdict = post(403, "{\"code\":\"max-uniq-reactions\",\"outcome\":\"refused\"}");

        assertThat(verdict).isEqualTo(Verdict.refused("max-uniq-reactions"));
        assertThat(entity.own()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reaction-already-exists",
                "conflicting-reaction",
                "constraint-violated",
                "reaction-not-available"
            })
    void anUnexpectedRefusalIsAContradiction(String code) {
        var verdict = post(403, "{\"code\":\"%s\",\"outcome\":\"refused\"}".formatted(code));

        assertThat(verdict).isEqualTo(Verdict.wrong("status 403 " + code));
    }

    @ParameterizedTest
    @ValueSource(strings = {"max-uniq-reactions", "conflicting-reaction"})
    void aRemovalIsNeverRefused(String code) {
        var verdict =
                answered(
                        Call.delete("u", entity, "a"),
                        403,
                        "{\"code\":\"%s\",\"outcome\":\"refused\"}".formatted(code));

        assertThat(verdict).isEqualTo(Verdict.wrong("status 403 " + code));
    }

    @Test
    void aConstraintMayRefuseWhereThereAreSome() {
        var post = Call.post("u", Call.ADULT, limited, "a");

        assertThat(answered(post, 403, refusal("constraint-violated")))
                .isEqualTo(Verdict.refused("constraint-violated"));
        assertThat(answered(Call.delete("u", limited, "a"), 403, refusal("constraint-violated")))
                .isEqualTo(Verdict.wrong("status 403 constraint-violated"));
    }

    @Test
    void aReactionForAdultsIsRefusedToTheYoungAlone() {
        var young = Call.post("u", Call.ADULT - 1, limited, "b");
        var adult = Call.post("u", Call.ADULT, limited, "b");
        String refusal = refusal("reaction-not-available");

        assertThat(young.body()).contains("\"attributes\":{\"age\":17}");
        assertThat(answered(young, 403, refusal))
                .isEqualTo(Verdict.refused("reaction-not-available"));
        assertThat(answered(young, 200, "{\"status\":\"ok\"}").detail())
                .isEqualTo("added for a user who is too young: b");
        assertThat(answered(adult, 403, refusal).isError()).isTrue();
        assertThat(answered(adult, 200, "{\"status\":\"ok\"}")).isEqualTo(Verdict.RIGHT);
    }

    private static String refusal(String code) {
        return "{\"code\":\"%s\",\"outcome\":\"refused\"}".formatted(code);
    }

    @Test
    void aWriteWithoutAnOkIsAnErrorOfUnknownOutcome() {
        get(200, answer("e", "u", ""));

        assertThat(post(200, "{}").detail()).startsWith("status 200 and not ok");
        assertThat(get(200, answer("e", "u", "\"a\""))).isEqualTo(Verdict.RIGHT);
    }

    @Test
    void nothingIsListedTwice() {
        assertThat(get(200, answer("e", "u", "\"a\",\"a\"")).detail())
                .isEqualTo("twice the user's own a on e");
        assertThat(
                        get(
                                        200,
                                        answer("e", "u", "")
                                                .replace(
                                                        "[{",
                                                        "[{\"reaction_id\":\"a\",\"count\":2},{"))
                                .detail())
                .isEqualTo("two counts of a on e");
    }

    @Test
    void afterAnUnknownOutcomeBothStatesAreRight() {
        get(200, answer("e", "u", ""));
        assertThat(post(503, "{\"code\":\"outcome-unknown\",\"outcome\":\"unknown\"}").isError())
                .isTrue();

        assertThat(get(200, answer("e", "u", "\"a\""))).isEqualTo(Verdict.RIGHT);
    }

    @Test
    void withoutAnAnswerARequestIsAnError() {
        var call = Call.post("u", Call.ADULT, entity, "a");
        call.settle();

        assertThat(call.verdict()).isEqualTo(Verdict.failed("no answer"));
    }

    @Test
    void anAnswerThatIsNotJsonIsAnError() {
        assertThat(get(200, "<html>").isError()).isTrue();
        assertThat(post(502, "").isError()).isTrue();
    }

    @Test
    void aScreenIsAnsweredInTheOrderAsked() {
        var other = new Entity(entity.namespace(), "f");
        var both = "{\"entities\":[" + answer("f", "u", "") + "," + answer("e", "u", "") + "]}";

        assertThat(answered(Call.query("u", List.of(other, entity)), 200, both))
                .isEqualTo(Verdict.RIGHT);
        assertThat(answered(Call.query("u", List.of(entity, other)), 200, both).isError()).isTrue();
        assertThat(answered(Call.query("u", List.of(other)), 200, both).isError()).isTrue();
    }

    private Verdict get(int status, String body) {
        return answered(Call.get("u", entity), status, body);
    }

    private Verdict post(int status, String body) {
        return answered(Call.post("u", Call.ADULT, entity, "a"), status, body);
    }

    private static Verdict answered(Call call, int status, String body) {
        call.start();
        call.answered(status, body);
        return call.verdict();
    }

    private static String answer(String entity, String user, String own) {
        return """
        {"entity_id":"%s","reactions_count":[{"reaction_id":"a","count":1}],\
        "user_reactions":{"user_id":"%s","reactions":[%s]}}"""
                .formatted(entity, user, own);
    }
}
