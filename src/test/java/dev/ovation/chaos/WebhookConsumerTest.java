package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.WebhookMessage;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

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
