package dev.ovation.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.TestKeys;
import dev.ovation.testing.Wait;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Keys without limits, and keys that lack a scope. */
class CallersOverHttpTest extends ReactionsHttpFixture {

    private static final String SCOPES = "scopes: [reactions:read, reactions:write]";
    private static final String QUERY = "{\"namespace_id\":\"namespace\",\"entities\":[\"e\"]}";

    @TempDir static Path folder;
    private static String greedy;
    private static String other;
    private static String reader;
    private static String writer;

    @DynamicPropertySource
    static void keys(DynamicPropertyRegistry settings) {
        var keys = new TestKeys(folder.resolve("keys.yaml"));
        greedy = keys.add("greedy", SCOPES);
        other = keys.add("other", SCOPES);
        reader = keys.add("reader", "scopes: [reactions:read]");
        writer = keys.add("writer", "scopes: [reactions:write]");
        settings.add("ovation.access.keys", () -> keys.file().toString());
    }

    @Test
    void aKeyWithoutLimitsLeavesWritesToOtherCallers() throws Exception {
        reactions.batchesMayEnd = new CountDownLatch(1);
        int begun = reactions.batches.get();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var batch =
                    threads.submit(
                            () ->
                                    as(
                                            greedy,
                                            "POST",
                                            "/reactions/batch",
                                            batch(ReactionsTestApplication.WRITES - 1)));
            Wait.until("the batch has begun", () -> reactions.batches.get() > begun);

            for (String way : new String[] {"/reactions", "/%72eactions"}) {
                Reply refused = as(greedy, "POST", way, IDS);
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.header("Retry-After")).isEqualTo("1");
                assertThat(json(refused).get("code").stringValue()).isEqualTo("unavailable");
                assertThat(json(refused).get("outcome").stringValue()).isEqualTo("refused");
            }
            assertThat(as(other, "POST", "/reactions", IDS).status()).isEqualTo(200);

            reactions.batchesMayEnd.countDown();
            assertThat(batch.get().status()).isEqualTo(200);
        } finally {
            reactions.batchesMayEnd.countDown();
        }
        Wait.until(
                "the permits are back",
                () -> as(greedy, "DELETE", "/reactions", IDS).status() == 200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/reactions/query", "/reactions/%71uery"})
    void aForbiddenPostThatOnlyReadsHasNoOutcome(String way) {
        Reply refused = as(writer, "POST", way, QUERY);

        assertThat(refused.status()).isEqualTo(403);
        assertThat(json(refused).get("code").stringValue()).isEqualTo("forbidden");
        assertThat(json(refused).has("outcome")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/reactions", "/%72eactions", "/reactions/batch", "/reactions/%62atch"})
    void aForbiddenWriteIsRefusedAndReachesNoHandler(String way) {
        int begun = reactions.batches.get();

        Reply refused = as(reader, "POST", way, way.endsWith("atch") ? batch(2) : IDS);

        assertThat(refused.status()).isEqualTo(403);
        assertThat(json(refused).get("outcome").stringValue()).isEqualTo("refused");
        assertThat(reactions.lastCommand).isNull();
        assertThat(reactions.batches).hasValue(begun);
    }

    private Reply as(String key, String method, String target, String body) {
        return send(method, target, body, "X-Api-Key: " + key);
    }

    private static JsonNode json(Reply reply) {
        return JsonMapper.shared().readTree(reply.body());
    }

    private static String batch(int operations) {
        return IntStream.range(0, operations)
                .mapToObj(
                        number ->
                                "{\"op\":\"add\",\"namespace_id\":\"namespace\",\"entity_id\":\"%d\","
                                                .formatted(number)
                                        + "\"user_id\":\"u\",\"reaction_id\":\"r\"}")
                .collect(Collectors.joining(",", "{\"operations\":[", "]}"));
    }
}
