package dev.ovation.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.web.http.Json;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.JsonBody;
import dev.ovation.webhook.Webhook.Target;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

class WebhookRequestTest {

    private static final String URL = "'url':'https://receiver.invalid/'";

    private static Target target(String json) throws CharacterCodingException {
        var violations = new RequestViolations();
        byte[] bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        Target target =
                WebhookRequest.target(new JsonBody(Json.read(bytes), ""), false, violations);
        violations.throwIfAny();
        return target;
    }

    @Test
    void membersHaveDefaults() throws CharacterCodingException {
        assertThat(target("{" + URL + ",'kinds':['changed']}"))
                .isEqualTo(
                        new Target(
                                "https://receiver.invalid/",
                                null,
                                List.of("changed"),
                                List.of(),
                                100,
                                500));
        assertThat(target("{" + URL + ",'kinds':['milestone']}").milestones())
                .startsWith(10L, 100L);
    }

    @Test
    void membersAreReadAsTheyAre() throws CharacterCodingException {
        assertThat(
                        target(
                                "{"
                                        + URL
                                        + ",'kinds':['milestone','first'],'milestones':[9,3,9],"
                                        + "'namespaces':['a'],'batch':{'max':7,'delay_ms':0}}"))
                .isEqualTo(
                        new Target(
                                "https://receiver.invalid/",
                                List.of("a"),
                                List.of("milestone", "first"),
                                List.of(3L, 9L),
                                7,
                                0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'kinds':['changed']} | url",
                "{'url':'http://example.com/','kinds':['changed']} | url",
                "{'url':'https://127.0.0.1/','kinds':['changed']} | url",
                "{'url':'https://localhost/','kinds':['changed']} | url",
                "{'url':'https://receiver.invalid/'} | kinds",
                "{'url':'https://receiver.invalid/','kinds':[]} | kinds",
                "{'url':'https://receiver.invalid/','kinds':['other']} | kinds",
                "{'url':'https://receiver.invalid/','kinds':'changed'} | kinds",
                "{'url':'https://receiver.invalid/','kinds':['changed'],'namespaces':['a:b']} | namespaces",
                "{'url':'https://receiver.invalid/','kinds':['milestone'],'milestones':[0]} | milestones",
                "{'url':'https://receiver.invalid/','kinds':['changed'],'batch':7} | batch",
                "{'url':'https://receiver.invalid/','kinds':['changed'],'batch':{'max':0}} | batch.max",
                "{'url':'https://receiver.invalid/','kinds':['changed'],'batch':{'delay_ms':10001}} | batch.delay_ms"
            })
    void aViolationNamesItsMember(String json, String field) {
        assertThatThrownBy(() -> target(json.strip()))
                .isInstanceOf(ProblemException.class)
                .hasMessageStartingWith("malformed-request: " + field.strip() + " ");
    }
}
