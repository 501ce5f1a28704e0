package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** Versions of the configuration: their list, conditions of changes, losses, and roll-backs. */
class ConfigurationVersionsTest extends ApiFixture {

    private static final String[] JSON = {"Content-Type", "application/json"};

    private final String own = "own-" + entity;

    /** Rules with a namespace of this test's own. */
    private TestRules rules(int limit, String... reactions) {
        return TestRules.shared().namespace(own, limit, reactions);
    }

    /** A refresh of other tests would lose the reactions of this test's namespace. */
    @AfterEach
    void restoreTheSharedRules() {
        configure(TestRules.shared());
    }

    @Nested
    class Reading {

        @Test
        void aPageHasTheNewestVersionsAndWhatTheyChanged() {
            configure(rules(1, "a"));
            configure(rules(2, "a"));
            long newest = version(other);

            JsonNode page = service.get("/configuration/versions?limit=2").json();

            JsonNode first = page.at("/versions/0");
            assertThat(numbers(page)).containsExactly(newest, newest - 1);
            assertThat(first.propertyNames())
                    .containsExactly("version", "source", "applied_at", "applied_by", "changes");
            assertThat(text(first, "source")).isEqualTo("API");
            assertThat(text(first, "applied_by")).isEqualTo("open");
            assertThat(texts(first.get("changes")))
                    .containsExactly("namespace " + own + ": max_uniq_reactions 1 -> 2");
            String next = text(page, "next_cursor");
            assertThat(
                            numbers(
                                    service.get("/configuration/versions?limit=1&cursor=" + next)
                                            .json()))
                    .containsExactly(newest - 2);
        }

        @Test
        void theLastPageEndsWithTheFirstVersionWhichAddedAll() {
            JsonNode page = service.get("/configuration/versions?limit=200").json();
            while (page.has("next_cursor")) {
                String next = text(page, "next_cursor");
                page = other.get("/configuration/versions?limit=200&cursor=" + next).json();
            }
            JsonNode first = page.get("versions").get(page.get("versions").size() - 1);

            assertThat(first.get("version").longValue()).isEqualTo(1);
            assertThat(first.has("applied_by")).as("applied by a start").isFalse();
            assertThat(text(first, "source")).startsWith("files in ");
            assertThat(texts(first.get("changes")))
                    .contains("namespace letters added")
                    .allSatisfy(line -> assertThat(line).endsWith(" added"));
        }

        @Test
        void oneHasItsContentWhichCanBePosted() {
            configure(rules(1, "a"));
            long version = version(service);
            JsonNode whole = service.get("/configuration").json();
            configure(rules(2, "b"));

            JsonNode one = other.get("/configuration/versions?version=" + version).json();

            assertThat(one.get("version").longValue()).isEqualTo(version);
            assertThat(one.get("content").toString()).isEqualTo(whole.toString());
            assertThat(one.has("next_cursor")).isFalse();
        }

        @Test
        void twoAreCompared() {
            configure(rules(1, "a"));
            long older = version(service);
            configure(rules(2, "a"));
            configure(rules(2, "a", "b"));
            long newer = version(service);

            assertThat(changes(newer, older))
                    .containsExactlyInAnyOrder(
                            "reaction set of " + own + ": reaction_ids [a] -> [a, b]",
                            "namespace " + own + ": max_uniq_reactions 1 -> 2");
            assertThat(changes(older, newer))
                    .contains("namespace " + own + ": max_uniq_reactions 2 -> 1");
        }

        @Test
        void unknownAndMalformedOnesAreProblems() {
            assertProblem(service.get("/configuration/versions?version=999999"), 404, "not-found");
            assertProblem(
                    service.get("/configuration/versions?version=1&compared_to=999999"),
                    404,
                    "not-found");
            assertViolations(service.get("/configuration/versions?version=0"), "version");
            assertViolations(service.get("/configuration/versions?compared_to=1"), "version");
            assertViolations(service.get("/configuration/versions?limit=201"), "limit");
            assertInvalidCursor(service.get("/configuration/versions?cursor=x"));
        }

        private List<String> changes(long version, long since) {
            return texts(
                    service.get(
                                    "/configuration/versions?version=%d&compared_to=%d"
                                            .formatted(version, since))
                            .json()
                            .get("changes"));
        }

        private static List<Long> numbers(JsonNode page) {
            return page.get("versions")
                    .valueStream()
                    .map(each -> each.get("version").longValue())
                    .toList();
        }
    }

    @Nested
    class WithIfMatch {

        @Test
        void aChangeOfAnotherVersionIsRefusedOnEachWay() {
            configure(rules(1, "a"));
            String stale = header(service.get("/configuration"), "ETag");
            configure(rules(2, "a"));
            long version = version(service);
            rules(3, "a").writeTo(TwoInstances.files());

            for (Answer answer :
                    List.of(
                            post(other, "", rules(3, "a"), "If-Match", stale),
                            post(service, "?dry_run=true", rules(3, "a"), "If-Match", stale),
                            other.send("POST", "/actuator/refresh", null, "If-Match", stale),
                            rollback(service, "1", "If-Match", stale))) {
                JsonNode problem = assertRefused(answer, 412, "configuration-changed");
                assertThat(problem.get("version").longValue()).isEqualTo(version);
                assertThat(header(answer, "ETag")).isEqualTo("\"" + version + "\"");
            }
            assertThat(version(service)).isEqualTo(version);
        }

        @Test
        void aChangeOfTheVersionInForceIsMadeAndAnswersItsTag() {
            configure(rules(1, "a"));
            String tag = header(other.get("/configuration"), "ETag");

            Answer first = post(service, "", rules(2, "a"), "If-Match", "\"1\", W/" + tag);
            assertApplied(first);
            assertThat(header(first, "ETag")).isEqualTo("\"" + version(service) + "\"");
            assertApplied(post(other, "", rules(3, "a"), "If-Match", header(first, "ETag")));
            assertApplied(post(other, "", rules(4, "a"), "If-Match", "*"));
        }

        /** An operator decides on the preview of a dry run. */
        @Test
        void filesOtherThanThoseOfTheDryRunAreNotApplied() {
            configure(rules(1, "a"));
            rules(2, "a").writeTo(TwoInstances.files());
            String hash = text(refresh("dry_run=true").json(), "files_hash");
            rules(3, "a").writeTo(TwoInstances.files());
            long version = version(service);

            Answer refused = refresh("files_hash=" + hash);
            JsonNode problem = assertRefused(refused, 412, "configuration-changed");
            assertThat(problem.get("version").longValue()).isEqualTo(version);
            assertThat(header(refused, "ETag")).isEqualTo("\"" + version + "\"");
            assertThat(version(service)).isEqualTo(version);

            rules(2, "a").writeTo(TwoInstances.files());
            Answer applied = refresh("files_hash=" + hash);
            assertApplied(applied);
            assertThat(text(applied.json(), "files_hash")).isEqualTo(hash);
            assertThat(version(service)).isEqualTo(version + 1);
        }

        private Answer refresh(String query) {
            return other.send("POST", "/actuator/refresh?" + query, null);
        }

        @Test
        void ofManyAtOnceOneIsMade() throws Exception {
            configure(rules(1, "a"));
            String tag = header(service.get("/configuration"), "ETag");
            try (var threads = Executors.newFixedThreadPool(4)) {
                var answers = new ArrayList<Future<Answer>>();
                for (int i = 0; i < 4; i++) {
                    Instance through = i % 2 == 0 ? service : other;
                    TestRules next = rules(2 + i, "a");
                    answers.add(threads.submit(() -> post(through, "", next, "If-Match", tag)));
                }
                var statuses = new ArrayList<Integer>();
                for (Future<Answer> answer : answers) {
                    statuses.add(answer.get().status());
                }
                assertThat(statuses).containsExactlyInAnyOrder(200, 412, 412, 412);
            }
        }

        @Test
        void aMalformedOneIsAViolation() {
            assertViolations(post(service, "", rules(1, "a"), "If-Match", "latest"), "If-Match");
        }
    }

    @Nested
    class LosingANamespace {

        @Test
        void isRefusedAndAcceptedOnEachWay() {
            configure(rules(2, "a", "b"));
            given(own, "ann", "a", "b");
            given(own, "ben", "a");
            TestRules without = TestRules.shared();
            long older = withoutOwn();
            without.writeTo(TwoInstances.files());

            for (Answer answer :
                    List.of(
                            post(other, "", without),
                            other.send("POST", "/actuator/refresh", null),
                            rollback(other, Long.toString(older)))) {
                JsonNode problem = assertRefused(answer, 409, "configuration-loses-data");
                assertThat(text(problem, "detail")).contains(own);
                assertOwnIsLost(problem.get("impact"));
            }
            assertOk(other.add(own, entity, "ben", "b"));
            assertOk(other.remove(own, entity, "ben", "b"));

            Answer accepted = rollback(service, older + "&accept_loss=true");
            assertThat(accepted.status()).isEqualTo(200);
            assertOwnIsLost(accepted.json().get("impact"));
            assertRefused(other.add(own, entity, "ben", "b"), 403, "unknown-namespace");
            configure(rules(2, "a", "b"));
            assertThat(counts(own)).as("the reactions stayed").isEqualTo("a 2, b 1");
        }

        @Test
        void isReportedByADryRunAndNotMade() {
            configure(rules(2, "a", "b"));
            given(own, "ann", "a", "b");
            given(own, "ben", "a");
            long version = version(service);
            TestRules.shared().writeTo(TwoInstances.files());

            for (Answer answer :
                    List.of(
                            post(service, "?dry_run=true", TestRules.shared()),
                            other.send("POST", "/actuator/refresh?dry_run=true", null))) {
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.json().get("version").longValue()).isEqualTo(version);
                assertThat(texts(answer.json().get("changes")))
                        .contains("namespace " + own + " removed");
                assertOwnIsLost(answer.json().get("impact"));
            }
            assertThat(version(service)).isEqualTo(version);
            assertOk(add(own, "ben", "b"));
        }

        @Test
        void isNoneWithoutReactions() {
            configure(rules(2, "a", "b"));
            given(own, "ann", "a");
            assertOk(remove(own, "ann", "a"));

            JsonNode answer = post(service, "?dry_run=true", TestRules.shared()).json();

            assertThat(answer.get("impact").valueStream())
                    .noneMatch(each -> text(each, "namespace_id").equals(own));
        }

        /** Puts rules without the test's namespace in force before it has reactions. */
        private long withoutOwn() {
            long version = version(service);
            return LongStream.rangeClosed(1, version)
                    .map(i -> version - i + 1)
                    .filter(
                            each ->
                                    service.get("/configuration/versions?version=" + each)
                                            .json()
                                            .at("/content/namespaces")
                                            .valueStream()
                                            .noneMatch(one -> text(one, "id").equals(own)))
                    .findFirst()
                    .orElseThrow();
        }

        private void assertOwnIsLost(JsonNode impact) {
            JsonNode lost =
                    impact.valueStream()
                            .filter(each -> text(each, "namespace_id").equals(own))
                            .findFirst()
                            .orElseThrow();
            assertThat(lost.toString())
                    .isEqualTo(
                            "{\"namespace_id\":\"%s\",\"kind\":\"namespace-removed\",\"entities\":1,\"reactions\":3,\"exact\":true}"
                                    .formatted(own));
        }
    }

    @Nested
    class RollingBack {

        @Test
        void makesTheSameRulesANewVersion() {
            configure(rules(1, "a"));
            long wanted = version(service);
            String whole = service.get("/configuration").body();
            configure(rules(2, "a", "b"));
            long before = version(service);

            Answer answer = rollback(other, Long.toString(wanted));

            assertThat(answer.json().get("version").longValue()).isEqualTo(before + 1);
            assertThat(texts(answer.json().get("changes")))
                    .contains("namespace " + own + ": max_uniq_reactions 2 -> 1");
            assertThat(service.get("/configuration").body()).isEqualTo(whole);
            assertThat(
                            text(
                                    service.get("/configuration/versions").json().at("/versions/0"),
                                    "source"))
                    .isEqualTo("version " + wanted);
        }

        @Test
        void toTheVersionInForceChangesNothing() {
            configure(rules(1, "a"));
            long version = version(service);
            Answer answer = rollback(other, Long.toString(version));

            assertThat(answer.json().get("version").longValue()).isEqualTo(version);
            assertThat(answer.json().get("changes")).isEmpty();
        }

        @Test
        void needsAVersionThatExists() {
            assertRefused(rollback(service, "999999"), 404, "not-found");
            assertViolations(rollback(service, ""), "version");
            assertViolations(rollback(service, "x"), "version");
        }

        /** Writers of both instances go on; the first write after each answer follows its rules. */
        @Test
        void holdsForTheFirstWriteOnBothInstancesWhileOthersWrite() throws Exception {
            configure(rules(1, "a", "b"));
            long tight = version(service);
            configure(rules(2, "a", "b"));
            long loose = version(service);
            given(own, "ann", "a");
            var accepted = new AtomicInteger();
            var ended = new AtomicInteger();
            try (var threads = Executors.newFixedThreadPool(2)) {
                var writers = new ArrayList<Future<?>>();
                for (Instance instance : List.of(service, other)) {
                    writers.add(threads.submit(() -> write(instance, accepted, ended)));
                }
                try {
                    for (int round = 0; round < 12; round++) {
                        int before = accepted.get();
                        Instance through = round % 2 == 0 ? service : other;
                        Instance writer = round / 2 % 2 == 0 ? service : other;
                        assertThat(rollback(through, Long.toString(tight)).status()).isEqualTo(200);
                        assertRefused(
                                writer.add(own, entity, "ben", "b"), 403, "max-uniq-reactions");
                        assertThat(rollback(through, Long.toString(loose)).status()).isEqualTo(200);
                        assertOk(writer.add(own, entity, "ben", "b"));
                        assertOk(writer.remove(own, entity, "ben", "b"));
                        Wait.until("others wrote meanwhile", () -> accepted.get() > before);
                    }
                } finally {
                    ended.set(1);
                }
                for (Future<?> writer : writers) {
                    writer.get();
                }
            }
        }

        /** Adds and removes a reaction that both rules accept. */
        private void write(Instance instance, AtomicInteger accepted, AtomicInteger ended) {
            String each = instance.port() + entity;
            while (ended.get() == 0) {
                assertOk(instance.add(own, each, "ann", "a"));
                assertOk(instance.remove(own, each, "ann", "a"));
                accepted.incrementAndGet();
            }
        }
    }

    private static Answer post(Instance instance, String query, TestRules rules, String... more) {
        var headers = new ArrayList<>(List.of(JSON));
        headers.addAll(List.of(more));
        return instance.send(
                "POST", "/configuration" + query, rules.json(), headers.toArray(String[]::new));
    }

    private static Answer rollback(Instance instance, String version, String... headers) {
        return instance.send("POST", "/configuration/rollback?version=" + version, null, headers);
    }

    private static long version(Instance instance) {
        String tag = header(instance.get("/configuration"), "ETag");
        return Long.parseLong(tag.replaceAll("\\D", ""));
    }
}
