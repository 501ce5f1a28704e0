package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** {@code Idempotency-Key}: a change is applied once for any number of retries. */
class IdempotencyApiTest extends ApiFixture {

    private static final String PREFER = "return=representation";

    private final String key = UUID.randomUUID().toString();

    @Test
    void theFirstAnswerComesAgain() {
        assertOk(keyed("letters", "ann", "a"));

        assertOk(keyed("letters", "ann", "a"));
        assertThat(counts("letters")).isEqualTo("a 1");
    }

    @Test
    void theFirstAnswerComesAgainByteForByteThroughAnyInstance() {
        given("letters", "ben", "a", "d");
        given("letters", "ann", "c");
        Answer first = send(service, "POST", "?force=true", "b");
        given("letters", "cleo", "e");

        assertThat(first.body()).contains("\"outcome\":\"applied\"");
        for (Instance each : List.of(service, other)) {
            Answer again = send(each, "POST", "?force=true", "b");
            assertThat(again.status()).isEqualTo(200);
            assertThat(again.body()).isEqualTo(first.body());
        }
    }

    @Test
    void theAnswerSaysThatItIsThatOfAnEarlierRequest() {
        String replayed = "Idempotency-Replayed";

        assertThat(header(keyed("letters", "ann", "a"), replayed)).isNull();
        assertThat(header(keyed("letters", "ann", "a"), replayed)).isEqualTo("true");
        assertThat(header(send(other, "POST", "", "a"), replayed)).isEqualTo("true");
        assertThat(header(add("letters", "ben", "a"), replayed)).isNull();
    }

    @Test
    void theFormOfTheAnswerIsTheRetrysOwnWish() {
        assertOk(keyed("letters", "ann", "a"));
        given("letters", "ben", "a");

        Answer again = send(other, "POST", "", "a");
        assertThat(text(again.json(), "outcome")).isEqualTo("applied");
        assertThat(counts(again.json().get("entity"))).isEqualTo("a 1");
    }

    @Test
    void aReplayAfterTheOppositeOperationGivesTheFirstAnswerAndChangesNothing() {
        Answer first = send(service, "POST", "", "a");
        assertOk(remove("letters", "ann", "a"));

        assertThat(send(other, "POST", "", "a").body()).isEqualTo(first.body());
        assertThat(counts("letters")).isEmpty();
    }

    @Test
    void aReplayedRemovalKeepsReactionsThatWereAddedSince() {
        given("letters", "ann", "a");
        Answer first = send(service, "DELETE", "", "a");
        given("letters", "ann", "a");

        assertThat(text(first.json(), "outcome")).isEqualTo("applied");
        assertThat(send(other, "DELETE", "", "a").body()).isEqualTo(first.body());
        assertThat(counts("letters")).isEqualTo("a 1");
    }

    @Test
    void aRemovalOfNothingIsKeptAsOne() {
        Answer first = send(service, "DELETE", "", "a");
        given("letters", "ann", "a");

        assertThat(text(first.json(), "outcome")).isEqualTo("unchanged");
        assertThat(send(other, "DELETE", "", "a").body()).isEqualTo(first.body());
        assertThat(counts("letters")).isEqualTo("a 1");
    }

    @Test
    void anUnchangedAdditionIsReplayedAsUnchanged() {
        given("letters", "ann", "a");
        Answer first = send(service, "POST", "?if_exists=ok", "a");
        assertOk(remove("letters", "ann", "a"));

        assertThat(text(first.json(), "outcome")).isEqualTo("unchanged");
        assertThat(send(other, "POST", "?if_exists=ok", "a").body()).isEqualTo(first.body());
        assertThat(counts("letters")).isEmpty();
    }

    @Test
    void storedAnswersSurviveTheLossOfAllDataInRedis() {
        Answer first = send(service, "POST", "", "a");
        TwoInstances.redis().flushall();
        TwoInstances.allAnew();

        assertThat(send(other, "POST", "", "a").body()).isEqualTo(first.body());
        assertThat(counts("letters")).isEqualTo("a 1");
    }

    @Test
    void aRefusalIsJudgedAnew() {
        given("letters", "ann", "b");
        assertRefused(keyed("letters", "ann", "a"), 403, "conflicting-reaction");
        assertOk(remove("letters", "ann", "b"));

        assertOk(keyed("letters", "ann", "a"));
        assertThat(own("letters", "ann")).containsExactly("a");
    }

    @Test
    void aRefusedKeyIsFreeForAnotherRequest() {
        assertRefused(keyed("letters", "ann", "z"), 403, "unknown-reaction");

        assertOk(keyed("letters", "ann", "a"));
    }

    @Test
    void anotherBodyUnderTheSameKeyIsAMismatch() {
        assertOk(keyed("letters", "ann", "a"));

        for (Instance each : List.of(service, other)) {
            assertRefused(send(each, "POST", "", "d"), 422, "idempotency-mismatch");
            assertRefused(send(each, "POST", "?force=true", "a"), 422, "idempotency-mismatch");
            assertRefused(send(each, "DELETE", "", "a"), 422, "idempotency-mismatch");
        }
        assertThat(own("letters", "ann")).containsExactly("a");
    }

    /** On a Citus, a key is known in the partition of its entity. */
    @Test
    @Tag("one-postgres")
    void anotherEntityUnderTheSameKeyIsAMismatch() {
        assertOk(keyed("letters", "ann", "a"));

        String elsewhere = Instance.body("letters", "another " + entity, "ann", "a");
        assertRefused(
                service.send("POST", "/reactions", elsewhere, "Idempotency-Key", key),
                422,
                "idempotency-mismatch");
    }

    @Test
    void theSameKeyOfAnotherUserOrNamespaceIsAnotherKey() {
        assertOk(keyed("letters", "ann", "a"));
        assertOk(keyed("letters", "ben", "d"));
        assertOk(keyed("pairs", "ann", "c"));

        assertThat(counts("letters")).isEqualTo("a 1, d 1");
        assertThat(counts("pairs")).isEqualTo("c 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"two words", ""})
    void aKeyOfAnotherFormIsMalformed(String malformed) {
        assertViolations(
                add("letters", "ann", "a", "Idempotency-Key", malformed), "Idempotency-Key");
    }

    @Test
    void aRetryIsRefusedWhileTheFirstRequestIsInFlight() throws Exception {
        given("letters", "ben", "a");
        CompletableFuture<Answer> first;
        try (var _ = HeldPartition.of(partition("letters"))) {
            first = Together.meanwhile(() -> send(service, "POST", "", "a"));
            Wait.until("the first is proposed", this::isInHand);

            for (Instance each : List.of(service, other)) {
                assertRefused(send(each, "POST", "", "a"), 409, "idempotency-in-flight");
            }
            assertThat(first).isNotDone();
        }
        assertThat(first.get().status()).isEqualTo(200);
        assertThat(send(other, "POST", "", "a").body()).isEqualTo(first.get().body());
        assertThat(counts("letters")).isEqualTo("a 2");
    }

    @Test
    void twoAtOnceWithOneKeyChangeOnce() {
        for (int round = 0; round < 53; round++) {
            String body = Instance.body("letters", entity + round, "ann", "a");
            String[] header = {"Idempotency-Key", key + round};
            List<Answer> answers =
                    Together.run(
                            () -> service.send("POST", "/reactions", body, header),
                            () -> other.send("POST", "/reactions", body, header));

            assertThat(answers).extracting(Answer::status).contains(200).isSubsetOf(200, 409);
            for (Instance each : List.of(service, other)) {
                assertOk(each.send("POST", "/reactions", body, header));
            }
            assertThat(counts(service.read("letters", entity + round, null).json()))
                    .isEqualTo("a 1");
        }
    }

    /** The first attempt hangs longer than its in-flight note lives. */
    @ParameterizedTest
    @ValueSource(strings = {"POST", "DELETE"})
    void aRetryThatOvertakesTheCommitOfTheFirstHasItsAnswer(String method) throws Exception {
        given("letters", "ben", "a");
        if (method.equals("DELETE")) {
            given("letters", "ann", "a");
        }
        CompletableFuture<Answer> first;
        CompletableFuture<Answer> second;
        try (var _ = HeldPartition.of(partition("letters"))) {
            first = Together.meanwhile(() -> send(service, method, "", "a"));
            Wait.until("the first is proposed", this::isInHand);
            TwoInstances.redis().del(inHand());
            second = Together.meanwhile(() -> send(other, method, "", "a"));
            Wait.until(
                    "the second is in flight",
                    () ->
                            Metrics.of(other).value("ovation_requests_active", "kind=\"writes\"")
                                    == 1);
        }
        assertThat(first.get().status()).as(first.get().body()).isEqualTo(200);
        assertThat(second.get().body()).isEqualTo(first.get().body());
        assertThat(counts("letters")).isEqualTo(method.equals("POST") ? "a 2" : "a 1");
    }

    /** The retry of a client that got an unknown outcome. */
    @Test
    void anUnknownOutcomeIsSettledByARetryWithTheSameKey() throws Exception {
        given("letters", "ben", "a");
        Answer unknown;
        try (var hasty = TwoInstances.hasty();
                var _ = HeldPartition.of(partition("letters"))) {
            unknown = send(hasty, "POST", "", "a");

            var problem = problem(unknown, 503, "outcome-unknown");
            assertThat(text(problem, "outcome")).isEqualTo("unknown");
            assertThat(Integer.parseInt(header(unknown, "Retry-After"))).isPositive();
        }
        Wait.until("the commit", () -> Rows.of("letters", entity).contains("ann a"));
        Answer again = send(service, "POST", "", "a");

        assertThat(again.status()).isEqualTo(200);
        assertThat(text(again.json(), "outcome")).isEqualTo("applied");
        assertThat(counts("letters")).isEqualTo("a 2");
    }

    private boolean isInHand() {
        return TwoInstances.redis().exists(inHand()) == 1;
    }

    private String inHand() {
        return RedisSchema.inHand(partition("letters"), "letters", "ann", key);
    }

    private Answer keyed(String namespace, String user, String reaction) {
        return add(namespace, user, reaction, "Idempotency-Key", key);
    }

    /** Ann's request with the key, in namespace letters, with the state in its answer. */
    private Answer send(Instance instance, String method, String query, String reaction) {
        return instance.send(
                method,
                "/reactions" + query,
                Instance.body("letters", entity, "ann", reaction),
                "Idempotency-Key",
                key,
                "Prefer",
                PREFER);
    }
}
