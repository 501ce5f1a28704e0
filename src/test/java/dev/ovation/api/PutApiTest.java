package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** {@code PUT /reactions}: replaces a user's whole set in one step. */
class PutApiTest extends ApiFixture {

    @Test
    void aPutAddsMissingReactionsAndRemovesUnwantedOnes() {
        given("letters", "ben", "f");
        given("letters", "ann", "a", "d");
        JsonNode done = changed(put("letters", "ann", "e", "a", "f"));

        assertThat(text(done, "outcome")).isEqualTo("applied");
        assertThat(texts(done.get("added"))).containsExactly("e", "f");
        assertThat(texts(done.get("removed"))).containsExactly("d");
        assertThat(texts(done.get("unchanged"))).containsExactly("a");
        assertThat(own("letters", "ann")).containsExactly("a", "e", "f");
        assertThat(counts("letters")).isEqualTo("f 2, a 1, e 1");
    }

    @Test
    void theEntityIsThatOfAReadWithDetails() {
        given("letters", "ann", "a");
        Answer done = put("letters", "ann", "d", "e");

        Answer read = read(service, "letters", "details", "true", "user_id", "ann");
        assertThat(done.json().get("entity")).isEqualTo(read.json());
        assertThat(done.body()).startsWith("{\"status\":\"ok\",");
        assertThat(header(done, "Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void itIsOneChange() throws SQLException {
        given("letters", "ann", "a", "d");
        String before = text(details("letters"), "version");
        JsonNode done = changed(put("letters", "ann", "e", "f"));

        assertThat(serial(text(done.get("entity"), "version"))).isEqualTo(serial(before) + 1);
        assertThat(Rows.of("letters", entity)).containsExactly("ann e", "ann f");
        JsonNode counts = done.at("/entity/reactions_count");
        assertThat(text(counts.get(0), "first_reacted_at"))
                .isEqualTo(text(counts.get(1), "first_reacted_at"));
    }

    @Test
    void anEmptySetTakesAllBack() {
        given("letters", "ann", "a", "d");
        JsonNode done = changed(put("letters", "ann"));

        assertThat(texts(done.get("removed"))).containsExactly("a", "d");
        assertThat(texts(done.get("unchanged"))).isEmpty();
        assertThat(counts("letters")).isEmpty();
    }

    @Test
    void aPutOfTheExistingSetChangesNothing() {
        given("letters", "ann", "a", "d");
        long before = serial(text(details("letters"), "version"));
        JsonNode done = changed(put("letters", "ann", "d", "a"));

        assertThat(text(done, "outcome")).isEqualTo("unchanged");
        assertThat(texts(done.get("unchanged"))).containsExactly("a", "d");
        assertThat(serial(text(done.get("entity"), "version"))).isEqualTo(before);
    }

    @Test
    void spellingsOfOneReactionCountOnce() {
        JsonNode done = changed(put("posts", "ann", "❤", "❤️", "é", "e\u0301"));

        assertThat(texts(done.get("added"))).containsExactlyInAnyOrder("❤️", "é");
        assertThat(counts("posts")).isEqualTo("❤️ 1, é 1");
    }

    @Test
    void ownReactionsComeInTheSameOrderFromEverywhere() {
        changed(put("posts", "ann", "👩‍💻", "❤️", "☺", "é", "🎉", "👍"));
        List<String> hot = own("posts", "ann");
        Hot.evict("posts", entity);

        assertThat(hot).hasSize(6);
        assertThat(own("posts", "ann")).isEqualTo(hot);
    }

    @Test
    void userAndEntityAreThoseNamed() {
        given("letters", "ben", "a");
        changed(put("letters", "ann", "a"));
        changed(put("pairs", "ann", "b"));

        assertThat(own("letters", "ben")).containsExactly("a");
        assertThat(counts("letters")).isEqualTo("a 2");
    }

    @Nested
    class TheRules {

        @Test
        void rulesAreCheckedAgainstTheStateAfterTheRemovals() {
            given("letters", "ann", "a", "c");
            changed(put("letters", "ann", "b"));

            assertThat(own("letters", "ann")).containsExactly("b");
        }

        @Test
        void refuseASetThatConflictsWithItself() {
            given("letters", "ann", "d");
            JsonNode problem =
                    assertRefused(
                            put("letters", "ann", "a", "b", "c"), 403, "conflicting-reaction");

            assertThat(texts(problem.get("conflicting"))).containsExactly("b");
            assertThat(own("letters", "ann")).containsExactly("d");
        }

        @Test
        void aReactionThatConflictsWithAKeptOneIsRefused() {
            given("letters", "ann", "b", "d");
            JsonNode problem =
                    assertRefused(put("letters", "ann", "b", "c"), 403, "conflicting-reaction");

            assertThat(texts(problem.get("conflicting"))).containsExactly("b");
            assertThat(own("letters", "ann")).containsExactly("b", "d");
        }

        @Test
        void countKindsAfterTheRemovals() {
            given("pairs", "ann", "a", "c");
            changed(put("pairs", "ann", "b", "d"));

            assertThat(counts("pairs")).isEqualTo("b 1, d 1");
        }

        @Test
        void countKindsThatOthersKeep() {
            given("pairs", "ben", "c");
            given("pairs", "ann", "a");
            JsonNode problem =
                    assertRefused(put("pairs", "ann", "b", "d"), 403, "max-uniq-reactions");

            assertThat(problem.get("limit").intValue()).isEqualTo(2);
            assertThat(own("pairs", "ann")).containsExactly("a");
        }

        @Test
        void knowTheNamesThatTheyAllow() {
            assertRefused(put("letters", "ann", "a", "z"), 403, "unknown-reaction");
            assertRefused(put("letters", "ann", "a", "\uFE0F"), 403, "unknown-reaction");
            assertRefused(put("unknown", "ann", "a"), 403, "unknown-namespace");
            assertRefused(put("closed", "ann", "a"), 403, "max-uniq-reactions");
            assertThat(counts("letters")).isEmpty();
        }

        @Test
        void areNotAskedForRemovals() {
            assertThat(text(changed(put("unknown", "ann")), "outcome")).isEqualTo("unchanged");
            assertThat(text(changed(put("closed", "ann")), "outcome")).isEqualTo("unchanged");
        }

        /** One of two puts for the last free place is refused, and both see one state. */
        @Test
        void holdWhenTwoPutAtOnce() {
            for (int round = 0; round < 23; round++) {
                String each = entity + round;
                List<Answer> answers =
                        Together.run(
                                () -> send(service, "pairs", each, "ann", List.of("a", "c")),
                                () -> send(other, "pairs", each, "ben", List.of("b", "d")));

                assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 403);
            }
        }
    }

    @Nested
    class Retired {

        private final String namespace = "put-" + entity;

        Retired() {
            configure(rules("a", "b", "c"));
            given(namespace, "ann", "a", "b");
            configure(rules("b", "c"));
        }

        private TestRules rules(String... reactions) {
            return TestRules.shared().namespace(namespace, 2, reactions);
        }

        @Test
        void staysWhenItIsWanted() {
            JsonNode done = changed(put(namespace, "ann", "a", "c"));

            assertThat(texts(done.get("unchanged"))).containsExactly("a");
            assertThat(own(namespace, "ann")).containsExactly("a", "c");
        }

        @Test
        void goesWhenItIsNot() {
            assertThat(texts(changed(put(namespace, "ann", "b")).get("removed")))
                    .containsExactly("a");
        }

        @Test
        void aRetiredReactionIsUnknownToUsersWithoutIt() {
            assertRefused(put(namespace, "ben", "a"), 403, "unknown-reaction");
            changed(put(namespace, "ann"));
            assertRefused(put(namespace, "ann", "a"), 403, "unknown-reaction");
        }

        @Test
        void staysWithItsWholeNamespaceGone() {
            configure(TestRules.shared());

            assertThat(text(changed(put(namespace, "ann", "b", "a")), "outcome"))
                    .isEqualTo("unchanged");
            assertRefused(put(namespace, "ann", "a", "b", "c"), 403, "unknown-namespace");
            assertThat(texts(changed(put(namespace, "ann", "b")).get("removed")))
                    .containsExactly("a");
        }
    }

    @Nested
    class AnIdempotencyKey {

        private final String key = UUID.randomUUID().toString();

        @Test
        void givesTheFirstAnswerAgainByteForByte() {
            given("letters", "ann", "a", "d");
            Answer first = keyed("d", "e");
            given("letters", "ben", "f");
            changed(put("letters", "ann"));

            assertThat(text(first.json(), "outcome")).isEqualTo("applied");
            for (Instance each : List.of(service, other)) {
                Answer again = keyed(each, "e", "d", "d");
                assertThat(again.body()).isEqualTo(first.body());
                assertThat(header(again, "ETag")).isEqualTo(header(first, "ETag"));
            }
            assertThat(own("letters", "ann")).isEmpty();
        }

        @Test
        void anUnchangedPutIsReplayedAsUnchanged() {
            given("letters", "ann", "a");
            Answer first = keyed("a");
            changed(put("letters", "ann"));

            assertThat(text(first.json(), "outcome")).isEqualTo("unchanged");
            assertThat(keyed("a").body()).isEqualTo(first.body());
            assertThat(own("letters", "ann")).isEmpty();
        }

        @Test
        void isOfOneSet() {
            changed(keyed("a"));

            assertRefused(keyed("a", "d"), 422, "idempotency-mismatch");
            assertRefused(keyed(), 422, "idempotency-mismatch");
            assertRefused(
                    add("letters", "ann", "a", "Idempotency-Key", key),
                    422,
                    "idempotency-mismatch");
        }

        @Test
        void settlesWhetherAConditionalPutWasDone() {
            String tag = tag("letters", "ann");
            Answer first =
                    put("letters", "ann", List.of("a"), "Idempotency-Key", key, "If-Match", tag);

            assertThat(first.status()).as(first.body()).isEqualTo(200);
            assertThat(
                            put(
                                            "letters",
                                            "ann",
                                            List.of("a"),
                                            "Idempotency-Key",
                                            key,
                                            "If-Match",
                                            tag)
                                    .body())
                    .isEqualTo(first.body());
        }

        private Answer keyed(String... reactions) {
            return keyed(service, reactions);
        }

        private Answer keyed(Instance through, String... reactions) {
            return send(
                    through, "letters", entity, "ann", List.of(reactions), "Idempotency-Key", key);
        }
    }

    @Nested
    class ACondition {

        @ParameterizedTest
        @ValueSource(strings = {"false", "true"})
        void holdsWithTheTagOfAReadByThisUser(String details) {
            given("letters", "ben", "a");
            Answer read = read(other, "letters", "user_id", "ann", "details", details);

            changed(putIf(header(read, "ETag"), "a", "d"));
            assertThat(own("letters", "ann")).containsExactly("a", "d");
        }

        @Test
        void aConditionFailsAfterAChangeByAnotherUser() {
            String tag = tag("letters", "ann");
            given("letters", "ben", "a");
            Answer refused = putIf(tag, "d");

            JsonNode problem = assertRefused(refused, 412, "precondition-failed");
            assertThat(problem.get("entity"))
                    .isEqualTo(
                            read(service, "letters", "user_id", "ann", "details", "true").json());
            assertThat(own("letters", "ann")).isEmpty();
            changed(putIf(header(refused, "ETag"), "d"));
        }

        @Test
        void holdsWithTheTagOfTheLastPut() {
            Answer first = put("letters", "ann", "a");
            Answer second = putIf(header(first, "ETag"), "d");
            Answer third = putIf(header(second, "ETag"), "d");

            changed(second);
            assertThat(text(changed(third), "outcome")).isEqualTo("unchanged");
            assertRefused(putIf(header(first, "ETag"), "e"), 412, "precondition-failed");
        }

        @Test
        void holdsWithOneOfManyAndAlwaysWithAStar() {
            String tag = tag("letters", "ann");

            changed(putIf("\"another\" , " + tag, "a"));
            changed(putIf("\"\",".repeat(2000) + tag("letters", "ann"), "f"));
            changed(putIf("*", "d"));
            changed(putIf(" * ", "e"));
        }

        /** A proxy that compresses weakens the tag. */
        @Test
        void holdsWithAWeakTagOfThisStateOnly() {
            given("letters", "ben", "a");
            String tag = tag("letters", "ann");

            changed(putIf("W/" + tag, "d"));
            assertRefused(putIf("W/" + tag, "e"), 412, "precondition-failed");
            changed(putIf("\"another\", W/" + tag("letters", "ann"), "e"));
            assertThat(own("letters", "ann")).containsExactly("e");
        }

        @Test
        void failsWithTheTagsOfOthers() {
            given("letters", "ben", "a");
            String tag = tag("letters", "ann");

            assertRefused(putIf(tag("letters", "ben"), "d"), 412, "precondition-failed");
            assertRefused(
                    putIf(header(read(service, "letters"), "ETag"), "d"),
                    412,
                    "precondition-failed");
            changed(putIf(tag, "d"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "abc", "\"abc", "*, \"abc\"", "\"abc\" \"def\""})
        void hasAForm(String value) {
            assertViolations(putIf(value, "a"), "If-Match");
        }

        @Test
        void isOfAnEntityThatRedisHasForgottenToo() {
            given("letters", "ben", "a");
            String tag = tag("letters", "ann");
            Hot.evict("letters", entity);

            changed(putIf(tag, "d"));
        }

        /**
         * Each client adds one reaction to the set that it read; all succeed, one after the other.
         */
        @Test
        void makesNoneOfManyAtOnceOverlookAnother() {
            List<CompletableFuture<Integer>> clients =
                    IntStream.range(0, 5)
                            .mapToObj(n -> Together.meanwhile(() -> putUntilDone(n)))
                            .toList();
            int tries = clients.stream().mapToInt(CompletableFuture::join).sum();

            assertThat(counts("letters")).isEqualTo("d 5");
            assertThat(serial(text(details("letters"), "version"))).isEqualTo(5);
            assertThat(tries).isGreaterThanOrEqualTo(5);
        }

        private int putUntilDone(int n) {
            Instance through = n % 2 == 0 ? service : other;
            String user = "user" + n;
            for (int tries = 1; ; tries++) {
                String tag = header(read(through, "letters", "user_id", user), "ETag");
                Answer answer =
                        send(through, "letters", entity, user, List.of("d"), "If-Match", tag);
                if (answer.status() == 200) {
                    return tries;
                }
                assertRefused(answer, 412, "precondition-failed");
            }
        }

        /**
         * The failed precondition depends on an uncommitted change, so its answer waits for the
         * commit.
         */
        @Test
        void aFailedConditionIsAnsweredAfterTheCommitItDependsOn() throws Exception {
            String tag = tag("letters", "ann");
            CompletableFuture<Answer> first;
            CompletableFuture<Answer> second;
            try (var _ = HeldPartition.of(partition("letters"))) {
                first = Together.meanwhile(() -> add("letters", "ben", "a"));
                Wait.until("it is proposed", () -> counts("letters").equals("a 1"));
                second = Together.meanwhile(() -> putIf(tag, "d"));
                Wait.until(
                        "both wait",
                        () ->
                                Metrics.of(service)
                                                .value("ovation_requests_active", "kind=\"writes\"")
                                        == 2);
                assertThat(second).isNotDone();
            }
            assertOk(first.get());
            assertRefused(second.get(), 412, "precondition-failed");
        }

        private Answer putIf(String tag, String... reactions) {
            return put("letters", "ann", List.of(reactions), "If-Match", tag);
        }
    }

    @Nested
    class AVersionInTheBody {

        @Test
        void isOneOfAReadOfAScreenOrOfAPut() {
            String read = version("ann");
            String put = text(changed(putIf(read, "a")).get("entity"), "version");
            changed(putIf(put, "d"));

            changed(putIf(screenVersion("ann"), "e"));
            assertThat(own("letters", "ann")).containsExactly("e");
        }

        @Test
        void ofAnotherStateAnswersTheStateAndChangesNothing() {
            String version = version("ann");
            given("letters", "ben", "a");
            Answer refused = putIf(version, "d");

            JsonNode problem = assertRefused(refused, 412, "precondition-failed");
            assertThat(text(problem, "detail")).contains("if_version");
            assertThat(problem.get("entity"))
                    .isEqualTo(
                            read(service, "letters", "user_id", "ann", "details", "true").json());
            assertThat(own("letters", "ann")).isEmpty();
            changed(putIf(text(problem.get("entity"), "version"), "d"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "1", "a version"})
        void thatNobodyWasGivenFails(String version) {
            assertRefused(putIf(version, "a"), 412, "precondition-failed");
        }

        @Test
        void ofAnotherViewFails() {
            given("letters", "ben", "a");

            assertRefused(putIf(version("ben"), "d"), 412, "precondition-failed");
            assertRefused(
                    putIf(text(details("letters"), "version"), "d"), 412, "precondition-failed");
        }

        @Test
        void holdsTogetherWithATag() {
            String version = version("ann");
            String tag = tag("letters", "ann");

            assertRefused(putIf(version, "\"another\"", "a"), 412, "precondition-failed");
            assertRefused(putIf("another", tag, "a"), 412, "precondition-failed");
            assertRefused(putIf("another", "*", "a"), 412, "precondition-failed");
            changed(putIf(version, tag, "a"));
            changed(putIf(version("ann"), "*", "d"));
        }

        @Test
        void isNoConditionWhenItIsNull() {
            changed(service.send("PUT", "/reactions", body("null", "a")));
            assertViolations(service.send("PUT", "/reactions", body("7", "a")), "if_version");
        }

        @Test
        void isOfAnEntityThatRedisHasForgottenToo() {
            given("letters", "ben", "a");
            String version = version("ann");
            Hot.evict("letters", entity);

            changed(putIf(version, "d"));
        }

        /** As of If-Match: the key marks the set, and its answer comes again. */
        @Test
        void isNoPartOfTheRequestThatAKeyMarks() {
            String key = UUID.randomUUID().toString();
            String version = version("ann");
            String body = body('"' + version + '"', "a");
            Answer first = service.send("PUT", "/reactions", body, "Idempotency-Key", key);
            given("letters", "ben", "a");

            changed(first);
            for (String again : List.of(body, body("\"another\"", "a"), body("null", "a"))) {
                assertThat(other.send("PUT", "/reactions", again, "Idempotency-Key", key).body())
                        .isEqualTo(first.body());
            }
        }

        /** Each client adds one reaction to the set that it read; none overlooks another. */
        @Test
        void makesNoneOfManyAtOnceOverlookAnotherEither() {
            List<CompletableFuture<Integer>> clients =
                    IntStream.range(0, 5)
                            .mapToObj(n -> Together.meanwhile(() -> putUntilDone(n)))
                            .toList();
            clients.forEach(CompletableFuture::join);

            assertThat(counts("letters")).isEqualTo("d 5");
            assertThat(serial(text(details("letters"), "version"))).isEqualTo(5);
        }

        private int putUntilDone(int n) {
            Instance through = n % 2 == 0 ? service : other;
            String user = "user" + n;
            for (int tries = 1; ; tries++) {
                String seen = version(through, user);
                String body = body('"' + seen + '"', "d").replace("\"ann\"", '"' + user + '"');
                Answer answer = through.send("PUT", "/reactions", body);
                if (answer.status() == 200) {
                    return tries;
                }
                assertRefused(answer, 412, "precondition-failed");
            }
        }

        private String version(String user) {
            return version(service, user);
        }

        private String version(Instance through, String user) {
            return text(
                    read(through, "letters", "user_id", user, "details", "true").json(), "version");
        }

        private String screenVersion(String user) {
            String screen =
                    "{\"namespace_id\":\"letters\",\"viewer_id\":\"%s\",\"details\":true,\"entities\":[\"%s\"]}"
                            .formatted(user, entity);
            JsonNode answer = service.send("POST", "/reactions/query", screen).json();
            return text(answer.at("/entities/0"), "version");
        }

        private Answer putIf(String version, String reaction) {
            return service.send("PUT", "/reactions", body('"' + version + '"', reaction));
        }

        private Answer putIf(String version, String tag, String reaction) {
            String body = body('"' + version + '"', reaction);
            return service.send("PUT", "/reactions", body, "If-Match", tag);
        }

        private String body(String version, String reaction) {
            String body = Instance.setBody("letters", entity, "ann", List.of(reaction));
            return body.replaceFirst("}$", ",\"if_version\":" + version + "}");
        }
    }

    @Test
    void invalidFieldsAreReportedByName() {
        assertViolations(
                service.send("PUT", "/reactions", "{\"reaction_ids\":[\"a\",7,\"\",null]}"),
                "namespace_id",
                "entity_id",
                "user_id",
                "reaction_ids[1]",
                "reaction_ids[2]",
                "reaction_ids[3]");
        assertViolations(
                service.send("PUT", "/reactions", "{\"reaction_ids\":\"a\"}"),
                "namespace_id",
                "entity_id",
                "user_id",
                "reaction_ids");
        assertViolations(
                put("letters", "ann", List.of(), "Idempotency-Key", "two words"),
                "Idempotency-Key");
        assertViolations(
                put("letters", "ann", IntStream.range(0, 1001).mapToObj(n -> "a").toList()),
                "reaction_ids");
        assertThat(
                        put("letters", "ann", IntStream.range(0, 1000).mapToObj(n -> "a").toList())
                                .status())
                .isEqualTo(200);
    }

    @Test
    void aBodyIsReadAsJsonRegardlessOfItsContentType() {
        for (String type : List.of("application/x-www-form-urlencoded", "text/plain")) {
            changed(put("letters", "ann", List.of("a"), "Content-Type", type));
        }
    }

    @Test
    void aPreferenceForTheStateIsMetAnyway() {
        Answer answer = put("letters", "ann", List.of("a"), "Prefer", "return=representation");

        assertThat(header(answer, "Preference-Applied")).isEqualTo("return=representation");
    }

    private String tag(String namespace, String user) {
        return header(read(service, namespace, "user_id", user), "ETag");
    }

    private static long serial(String version) {
        return Long.parseLong(version.split("\\.")[1]);
    }

    private static JsonNode changed(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(text(answer.json(), "status")).isEqualTo("ok");
        return answer.json();
    }

    private Answer put(String namespace, String user, String... reactions) {
        return put(namespace, user, List.of(reactions));
    }

    private Answer put(String namespace, String user, List<String> reactions, String... headers) {
        return send(service, namespace, entity, user, reactions, headers);
    }

    private static Answer send(
            Instance through,
            String namespace,
            String entity,
            String user,
            List<String> reactions,
            String... headers) {
        String body = Instance.setBody(namespace, entity, user, reactions);
        return through.send("PUT", "/reactions", body, headers);
    }
}
