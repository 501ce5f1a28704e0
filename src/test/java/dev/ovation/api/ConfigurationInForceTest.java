package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The rules in force on two instances that read the same files. */
class ConfigurationInForceTest extends ApiFixture {

    private static final int ROUNDS = 17;

    private final String own = "own-" + entity;

    /** The first write after the answer to a refresh follows its rules, on either instance. */
    @Nested
    class TheFirstWriteAfterARefresh {

        @Test
        void followsALimit() {
            for (int round = 0; round < ROUNDS; round++) {
                String each = entity + round;
                refresh(round, TestRules.shared().namespace(own, 2, "a", "b", "c"));
                assertOk(writer(round).add(own, each, "ann", "a"));

                refresh(round, TestRules.shared().namespace(own, 1, "a", "b", "c"));
                var problem =
                        assertRefused(
                                writer(round).add(own, each, "ben", "b"),
                                403,
                                "max-uniq-reactions");
                assertThat(problem.get("limit").intValue()).isEqualTo(1);

                refresh(round, TestRules.shared().namespace(own, 2, "a", "b", "c"));
                assertOk(writer(round).add(own, each, "ben", "b"));
            }
        }

        @Test
        void followsASet() {
            for (int round = 0; round < ROUNDS; round++) {
                String each = entity + round;
                refresh(round, TestRules.shared().namespace(own, 3, "a"));
                assertRefused(writer(round).add(own, each, "ann", "b"), 403, "unknown-reaction");

                refresh(round, TestRules.shared().namespace(own, 3, "a", "b"));
                assertOk(writer(round).add(own, each, "ann", "b"));

                refresh(round, TestRules.shared().namespace(own, 3, "a"));
                assertRefused(writer(round).add(own, each, "ben", "b"), 403, "unknown-reaction");
                assertOk(writer(round).remove(own, each, "ann", "b"));
            }
        }

        @Test
        void followsGroups() {
            TestRules apart = TestRules.shared().namespace(own, "letters", 6, List.of());
            TestRules excluding =
                    TestRules.shared()
                            .namespace(
                                    own,
                                    "letters",
                                    6,
                                    List.of(List.of("a", "b"), List.of("c", "d")));
            for (int round = 0; round < ROUNDS; round++) {
                String each = entity + round;
                refresh(round, apart);
                assertOk(writer(round).add(own, each, "ann", "a"));

                refresh(round, excluding);
                assertRefused(
                        writer(round).add(own, each, "ann", "b"), 403, "conflicting-reaction");

                refresh(round, apart);
                assertOk(writer(round).add(own, each, "ann", "b"));
            }
        }

        @Test
        void followsTheNamespaces() {
            for (int round = 0; round < ROUNDS; round++) {
                refresh(round, TestRules.shared());
                assertRefused(writer(round).add(own, entity, "ann", "a"), 403, "unknown-namespace");

                refresh(round, TestRules.shared().namespace(own, 1, "a"));
                assertOk(writer(round).add(own, entity, "ann", "a"));
                assertOk(writer(round).remove(own, entity, "ann", "a"));
            }
        }

        @Test
        void followsItAlsoWhenRedisLosesAllInBetween() {
            for (int round = 0; round < 4; round++) {
                String each = entity + round;
                Instance after = writer(round);
                refresh(round, TestRules.shared().namespace(own, 2, "a", "b"));
                assertOk(after.add(own, each, "ann", "a"));
                refresh(round, TestRules.shared().namespace(own, 1, "a", "b"));
                TwoInstances.redis().flushall();

                var answer = new AtomicReference<Answer>();
                Wait.until(
                        "the partition has a new epoch",
                        () -> {
                            answer.set(after.add(own, each, "ben", "b"));
                            return answer.get().status() != 503;
                        });
                assertRefused(answer.get(), 403, "max-uniq-reactions");
                TwoInstances.allAnew();
            }
        }

        @Test
        void knowsANewNamespaceAlsoWhenItIsARead() {
            refresh(0, TestRules.shared().namespace(own, 1, "a"));

            assertThat(read(other, own).status()).isEqualTo(200);
            assertThat(other.get("/configuration/namespace?namespace_id=" + own).status())
                    .isEqualTo(200);
        }

        @Test
        void followsItWhileOthersWrite() throws Exception {
            TestRules loose = TestRules.shared().namespace(own, 2, "a", "b");
            TestRules tight = TestRules.shared().namespace(own, 1, "a", "b");
            for (int round = 0; round < 5; round++) {
                refresh(round, loose);
                var tightened = new AtomicInteger();
                var accepted = new AtomicInteger();
                try (var threads = Executors.newFixedThreadPool(2)) {
                    var writers = new ArrayList<Future<List<Integer>>>();
                    for (int i = 0; i < 2; i++) {
                        Instance instance = writer(i);
                        String each = entity + "-" + round + "-" + i + "-";
                        writers.add(
                                threads.submit(
                                        () -> statusesAfter(instance, each, tightened, accepted)));
                    }
                    try {
                        Wait.until("some adds were accepted before", () -> accepted.get() > 10);
                        refresh(round, tight);
                    } finally {
                        tightened.set(1); // ends the writers in any case
                    }
                    for (Future<List<Integer>> statuses : writers) {
                        assertThat(statuses.get()).hasSize(10).containsOnly(403);
                    }
                }
            }
        }

        /**
         * Adds a second reaction to entity after entity; returns the statuses after the refresh.
         */
        private List<Integer> statusesAfter(
                Instance instance, String each, AtomicInteger tightened, AtomicInteger accepted) {
            var statuses = new ArrayList<Integer>();
            for (int i = 0; statuses.size() < 10; i++) {
                if (instance.add(own, each + i, "ann", "a").status() != 200) {
                    continue; // not in time: "b" would be the first reaction
                }
                boolean after = tightened.get() == 1;
                Answer answer = instance.add(own, each + i, "ann", "b");
                if (after) {
                    statuses.add(answer.status());
                } else if (answer.status() == 200) {
                    accepted.incrementAndGet();
                }
            }
            return statuses;
        }

        private Instance writer(int round) {
            return round / 2 % 2 == 0 ? service : other;
        }

        /**
         * Alternates the refreshing instance, so that all four pairs of refresh and write occur.
         */
        private void refresh(int round, TestRules rules) {
            rules.writeTo(TwoInstances.files());
            assertThat(refreshed(round % 2 == 0 ? service : other).status()).isEqualTo(200);
        }
    }

    @Nested
    class ARefresh {

        @Test
        void aRefreshAnswersWithItsChangesAndVersion() {
            put(TestRules.shared());
            TestRules.shared().namespace(own, 1, "a").writeTo(TwoInstances.files());
            JsonNode answer = refreshed(service).json();

            assertThat(texts(answer.get("changes")))
                    .anySatisfy(line -> assertThat(line).contains(own, "added"));
            assertThat(answer.get("version").longValue())
                    .isEqualTo(inForce(service).get("version").longValue());
        }

        @Test
        void ofTheSameFilesChangesNothing() {
            put(TestRules.shared());
            long version = inForce(service).get("version").longValue();
            JsonNode answer = refreshed(other).json();

            assertThat(texts(answer.get("changes"))).isEmpty();
            assertThat(answer.get("version").longValue()).isEqualTo(version);
        }

        @Test
        void appliesOlderFilesToo() {
            TestRules older = TestRules.shared().namespace(own, 1, "a");
            put(older);
            put(TestRules.shared());
            put(older);

            assertOk(other.add(own, entity, "ann", "a"));
        }

        @Test
        void withABrokenFileNamesFileAndLineAndKeepsTheOldRules() throws Exception {
            put(TestRules.shared().namespace(own, 1, "a"));
            long version = inForce(service).get("version").longValue();
            Path file = TwoInstances.files().resolve("namespaces.yaml");
            String good = Files.readString(file);
            Files.writeString(
                    file, good.replace("\"max_uniq_reactions\":1,", "\"max_uniq_reactions\":-7,"));
            int line = (int) good.substring(0, good.indexOf(own)).lines().count();
            try {
                for (Instance each : List.of(service, other)) {
                    JsonNode problem = assertRefused(refreshed(each), 422, "invalid-configuration");

                    var violations = problem.get("violations").valueStream().toList();
                    assertThat(violations)
                            .allSatisfy(
                                    v -> assertThat(text(v, "file")).isEqualTo("namespaces.yaml"))
                            .anySatisfy(
                                    v -> {
                                        assertThat(v.get("line").intValue()).isEqualTo(line);
                                        assertThat(text(v, "message"))
                                                .contains("max_uniq_reactions");
                                    });
                    assertOk(each.add(own, each.port() + entity, "ann", "a"));
                    assertThat(inForce(each).get("version").longValue()).isEqualTo(version);
                    JsonNode files = inForce(each).get("files");
                    assertThat(files.get("differ").booleanValue()).isTrue();
                    assertThat(texts(files.get("violations")))
                            .anySatisfy(v -> assertThat(v).contains("namespaces.yaml:" + line));
                }
            } finally {
                put(TestRules.shared());
            }
        }

        @Test
        void withoutRedisHasAnUnknownOutcomeAndIsInForceAsSoonAsRedisAnswers() {
            put(TestRules.shared().namespace(own, 2, "a", "b"));
            assertOk(other.add(own, entity, "ann", "a"));
            try (var hasty = TwoInstances.hasty()) {
                TwoInstances.redisProcess().kill();
                TestRules.shared().namespace(own, 1, "a", "b").writeTo(TwoInstances.files());
                Answer answer = refreshed(hasty);

                assertThat(text(problem(answer, 503, "outcome-unknown"), "outcome"))
                        .isEqualTo("unknown");
                assertThat(Integer.parseInt(header(answer, "Retry-After"))).isPositive();
            } finally {
                TwoInstances.redisProcess().restart();
            }
            var first = new AtomicReference<Answer>();
            Wait.until(
                    "Redis is used again",
                    () -> {
                        first.set(other.add(own, entity, "ben", "b"));
                        return first.get().status() != 503;
                    });
            assertRefused(first.get(), 403, "max-uniq-reactions");
            TwoInstances.allAnew();
        }

        @Test
        void withAMissingFileIsRefused() throws Exception {
            Path file = TwoInstances.files().resolve("reactions.yaml");
            Files.delete(file);
            try {
                JsonNode problem = assertRefused(refreshed(service), 422, "invalid-configuration");

                assertThat(problem.get("violations").valueStream().map(v -> text(v, "file")))
                        .contains("reactions.yaml");
            } finally {
                put(TestRules.shared());
            }
        }
    }

    @Test
    void theRulesInForceStateTheirSourceAndWhetherTheFilesDiffer() {
        put(TestRules.shared().namespace(own, 3, "a", "b"));
        JsonNode byFiles = inForce(service);
        assertThat(text(byFiles, "hash")).isNotBlank();
        assertThat(text(byFiles, "source")).contains(TwoInstances.files().toString());
        assertThat(byFiles.at("/files/differ").booleanValue()).isFalse();
        JsonNode namespace =
                byFiles.get("namespaces")
                        .valueStream()
                        .filter(each -> text(each, "id").equals(own))
                        .findFirst()
                        .orElseThrow();
        assertThat(namespace.get("max_uniq_reactions").intValue()).isEqualTo(3);

        configure(TestRules.shared());
        JsonNode byApi = inForce(service);
        assertThat(text(byApi, "hash")).isNotEqualTo(text(byFiles, "hash"));
        assertThat(text(byApi, "source")).isNotEqualTo(text(byFiles, "source"));
        assertThat(byApi.get("version").longValue())
                .isGreaterThan(byFiles.get("version").longValue());
        assertThat(byApi.at("/files/differ").booleanValue()).isTrue();
        put(TestRules.shared());
    }
}
