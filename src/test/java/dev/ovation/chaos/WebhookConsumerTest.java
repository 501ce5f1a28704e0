package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.WebhookMessage;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;

/** Messages made by hand: the consumer reports each violation, and nothing else. */
class WebhookConsumerTest {

    private static final String SECRET = "whsec_c2VjcmV0";

    private final Violations violations = new Violations();
    private final EventJudge judge = new EventJudge(violations);
    private final WebhookConsumer consumer =
            new WebhookConsumer(judge, 1, List.of(), new Figures(), violations);

    @AfterEach
    void close() {
        consumer.close();
    }

    @Test
    void aSignedMessageIsJudgedByItsEvents() {
        consumer.judge(signed(event("1-1", 1, 1), event("1-2", 2, 2)), SECRET);
        assertThat(violations.found()).isEmpty();
        assertThat(differences(2, 2)).isEmpty();
        consumer.judge(signed(event("1-4", 4, 1)), SECRET);
        assertReported("after version 2");
    }

    @Test
    void aMessageMayComeAgain() {
        consumer.judge(signed(event("1-1", 1, 1), event("1-2", 2, 2)), SECRET);
        consumer.judge(signed(event("1-1", 1, 1), event("1-2", 2, 2)), SECRET);
        consumer.judge(signed(event("1-2", 2, 2), event("1-3", 3, 1)), SECRET);
        consumer.judge(signed(event("1-1", 1, 1)), SECRET);
        assertThat(violations.found()).isEmpty();
        assertThat(differences(3, 1)).isEmpty();
    }

    @Test
    void anEventIsTheSameEachTime() {
        consumer.judge(signed(event("1-1", 1, 1)), SECRET);
        consumer.judge(signed(event("1-1", 2, 1)), SECRET);
        assertReported("was 0000000001.000000000001 before");
    }

    @Test
    void anEventThatNeverCameIsMissed() {
        consumer.judge(signed(event("1-1", 1, 1)), SECRET);
        assertThat(differences(2, 2)).singleElement().asString().startsWith("free/film");
    }

    @Test
    void aWrongSignatureIsReportedAndItsEventsDoNotCount() {
        WebhookMessage message = signed(event("1-1", 1, 1));
        consumer.judge(message, "whsec_b3RoZXI=");
        assertReported("another signature");
        assertThat(differences(1, 1)).hasSize(1);
    }

    @Test
    void aChangedBodyIsReported() {
        WebhookMessage message = signed(event("1-1", 1, 1));
        consumer.judge(
                new WebhookMessage(
                        message.id(),
                        message.timestamp(),
                        message.signature(),
                        message.type(),
                        message.body().replace("film", "book"),
                        200),
                SECRET);
        assertReported("another signature");
    }

    @Test
    void aMessageOfAnotherTimeIsReported() {
        consumer.judge(signed(seconds() - 3600, event("1-1", 1, 1)), SECRET);
        assertReported("of another time");
    }

    /** The server of the consumer drops what its handler throws. */
    @Test
    void aMessageThatCannotBeJudgedIsReported() throws Exception {
        var unjudgeable = // there is no secret before the webhook is registered
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + consumer.port()))
                        .POST(BodyPublishers.ofString("[]"))
                        .build();
        try (var client = HttpClient.newHttpClient()) {
            assertThat(client.send(unjudgeable, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
        }
        assertReported("cannot be judged");
    }

    @Test
    void aDeadLetterIsReported() {
        consumer.judgeList(list("chaos", "[]"));
        assertThat(violations.found()).isEmpty();
        consumer.judgeList(list("chaos", "[{\"message_id\":\"msg_1\"}]"));
        assertReported("has dead letters: [{\"message_id\":\"msg_1\"}]");
    }

    @Test
    void deadLettersThatAreNotShownAreReported() {
        consumer.judgeList(list("another", "[]"));
        consumer.judgeList(list("chaos", "0"));
        consumer.judgeList(new Answer(200, Map.of(), "{}"));
        consumer.judgeList(new Answer(404, Map.of(), "{\"webhooks\":[]}"));
        assertThat(violations.found())
                .hasSize(4)
                .allSatisfy(one -> assertThat(one).contains("are not shown"));
    }

    private static Answer list(String id, String letters) {
        return new Answer(
                200,
                Map.of(),
                "{\"webhooks\":[{\"webhook_id\":\"%s\",\"dead_letters\":%s}]}"
                        .formatted(id, letters));
    }

    private List<String> differences(long version, long count) {
        return judge.differences(EventJudgeTest.stored(version, count));
    }

    private static long seconds() {
        return System.currentTimeMillis() / 1000;
    }

    private static WebhookMessage signed(String... events) {
        return signed(seconds(), events);
    }

    private static WebhookMessage signed(long seconds, String... events) {
        String body = "[" + String.join(",", events) + "]";
        var unsigned = new WebhookMessage("msg_1", "" + seconds, "", "", body, 200);
        return new WebhookMessage(
                "msg_1", "" + seconds, unsigned.expectedSignature(SECRET), "", body, 200);
    }

    private static String event(String id, long version, int count) {
        return """
                {"id":"%s","type":"dev.ovation.changed","data":{"namespace_id":"free",
                "entity_id":"film","reactions_count":[{"reaction_id":"a","count":%d}],
                "total":%d,"version":"0000000001.%012d"}}"""
                .formatted(id, count, count, version);
    }

    private void assertReported(String part) {
        assertThat(violations.found()).singleElement().asString().contains(part);
    }
}
