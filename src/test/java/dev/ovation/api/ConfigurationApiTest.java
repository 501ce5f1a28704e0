package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.web.RawHttp;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** {@code /configuration}: reading the rules, and replacing them as a whole. */
class ConfigurationApiTest extends ApiFixture {

    private final String own = "own-" + entity;

    @Nested
    class Reading {

        @Test
        void aNamespaceIsDescribed() {
            Answer answer = service.get("/configuration/namespace?namespace_id=letters");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body())
                    .isEqualTo(
                            "{\"namespace\":{\"id\":\"letters\",\"reaction_set_id\":\"letters\","
                                    + "\"max_uniq_reactions\":6,"
                                    + "\"mutually_exclusive_reactions\":[[\"a\",\"b\"],[\"b\",\"c\"]]}}");
        }

        @Test
        void reactionsComeInTheOrderOfTheSet() {
            assertThat(ids(reactions("posts")))
                    .containsExactly(
                            "👍", "👎", "❤️", "👍🏽", "👩‍💻", "☺", "é", "🎉", TestRules.ODD);
            assertThat(ids(reactions("ratings"))).containsExactly("5", "4", "3", "2", "1.5");
        }

        @Test
        void aReactionHasAllItsMembersAndAValueIfItCounts() {
            JsonNode reactions = reactions("mixed");
            JsonNode picture = reactions.get(0);
            JsonNode rating = reactions.get(1);

            assertThat(picture.propertyNames())
                    .containsExactly("id", "short_name", "type", "code", "url");
            assertThat(text(picture, "id")).isEqualTo("party");
            assertThat(text(picture, "short_name")).isEqualTo("Party");
            assertThat(text(picture, "type")).isEqualTo("custom");
            assertThat(text(picture, "url")).isEqualTo("https://example.com/party.webp");
            assertThat(rating.propertyNames())
                    .containsExactly("id", "short_name", "type", "code", "url", "value");
            assertThat(text(rating, "type")).isEqualTo("unicode");
            assertThat(text(rating, "code")).isEqualTo("⭐");
            assertThat(rating.get("value").decimalValue()).isEqualByComparingTo("5");
        }

        @ParameterizedTest
        @ValueSource(strings = {"namespace", "available_reactions"})
        void unknownAndIllFormedNamespacesAreNotFound(String what) {
            for (String id : List.of("unknown", "a%20b", "%F0%9F%91%8D", "")) {
                assertProblem(
                        service.get("/configuration/" + what + "?namespace_id=" + id),
                        404,
                        "unknown-namespace");
            }
        }
    }

    /** {@code GET /configuration}: all of it, to be changed and put back. */
    @Nested
    class ReadingAll {

        @Test
        void hasWhatWasPutThroughAnyInstance() {
            assertApplied(post("?accept_loss=true", "application/json", rules().json()));

            for (Instance each : List.of(service, other)) {
                Answer all = each.get("/configuration");
                assertThat(all.status()).isEqualTo(200);
                assertThat(header(all, "Cache-Control")).isEqualTo("private, no-cache");
                assertThat(all.json().propertyNames())
                        .containsExactly("reactions", "reaction_sets", "namespaces");
                assertThat(ids(all.json().get("namespaces"))).contains(own, "letters");
                assertThat(all.json().get("namespaces"))
                        .contains(namespace("letters"), namespace(own));
            }
        }

        @Test
        void canBePutBackUnchanged() {
            assertApplied(post("?accept_loss=true", "application/json", rules().json()));
            String all = service.get("/configuration").body();
            Answer rehearsal = post("?dry_run=true", "application/json", all);

            assertThat(rehearsal.json().get("changes")).isEmpty();
            assertApplied(post("?accept_loss=true", "application/json", all));
            assertThat(service.get("/configuration").body()).isEqualTo(all);
        }

        @Test
        void isTaggedByTheVersionInForce() {
            assertApplied(post("?accept_loss=true", "application/json", rules().json()));
            String tag = header(service.get("/configuration"), "ETag");

            assertThat(tag).isEqualTo("\"%d\"".formatted(version()));
            assertThat(unless(tag).status()).isEqualTo(304);
            assertApplied(post("?accept_loss=true", "application/json", TestRules.shared().json()));
            Answer next = unless(tag);
            assertThat(next.status()).isEqualTo(200);
            assertThat(header(next, "ETag")).isNotEqualTo(tag);
        }

        private Answer unless(String tag) {
            return service.send("GET", "/configuration", null, "If-None-Match", tag);
        }

        private JsonNode namespace(String id) {
            return service.get("/configuration/namespace?namespace_id=" + id)
                    .json()
                    .get("namespace");
        }
    }

    @Nested
    class Replacing {

        @Test
        void takesJson() {
            assertApplied(post("?accept_loss=true", "application/json", rules().json()));

            assertInForce();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "application/yaml",
                    "application/x-yaml",
                    "text/yaml",
                    "text/yaml; charset=utf-8"
                })
        void takesYaml(String type) {
            assertApplied(post("?accept_loss=true", type, "# the rules\n" + rules().json()));

            assertInForce();
        }

        @Test
        void takesAGzipTarOfTheFiles(@TempDir Path directory) throws Exception {
            rules().writeTo(directory);
            String[] type = {"Content-Type", "application/gzip"};

            assertApplied(
                    service.sendBytes(
                            "POST", "/configuration?accept_loss=true", archive(directory), type));
            assertInForce();
        }

        @Test
        void replacesAllThatWasThere() {
            assertApplied(post("?accept_loss=true", "application/json", rules().json()));
            assertApplied(post("?accept_loss=true", "application/json", TestRules.shared().json()));

            assertProblem(
                    service.get("/configuration/namespace?namespace_id=" + own),
                    404,
                    "unknown-namespace");
            assertRefused(add(own, "ann", "a"), 403, "unknown-namespace");
            assertRefused(other.add(own, entity, "ann", "a"), 403, "unknown-namespace");
        }

        @Test
        void readsKeysWithoutRegardToCaseUnderscoresAndPlural() {
            String renamed =
                    rules().json()
                            .replace("\"reactions\":", "\"Reaction\":")
                            .replace("\"reaction_sets\":", "\"ReactionSets\":")
                            .replace("\"namespaces\":", "\"NAMESPACE\":")
                            .replace("\"max_uniq_reactions\":", "\"MaxUniqReactions\":")
                            .replace("\"reaction_ids\":", "\"ReactionIDs\":")
                            .replace("\"id\":", "\"ID\":");

            assertApplied(post("?accept_loss=true", "application/json", renamed));
            assertInForce();
        }

        @Test
        void countsNullAsAbsentAndTakesScalarsAsWritten() {
            String body =
                    TestRules.shared()
                            .reaction("WRITTEN")
                            .namespace(own, 1, "WRITTEN")
                            .json()
                            .replace("\"WRITTEN\"", "1.0")
                            .replace("\"type\":\"unicode\"", "\"type\":\"unicode\",\"url\":null");

            assertApplied(post("?accept_loss=true", "application/json", body));
            assertRefused(add(own, "ann", "1"), 403, "unknown-reaction");
            assertOk(add(own, "ann", "1.0"));
        }

        @Test
        void namesAllThatIsWrongWithItsLineAndChangesNothing() {
            configure(TestRules.shared()); // this instance may lag behind the other
            long version = version();
            String body =
                    """
                    reactions:
                    - {id: a, type: unicode, code: a}
                    - {id: a, type: unicode, code: a}
                    reaction_sets:
                    - {id: s, reaction_ids: [a, nowhere]}
                    namespaces:
                    - {id: n, reaction_set_id: s, max_uniq_reactions: -1}
                    """;

            for (String query : List.of("", "?dry_run=true")) {
                JsonNode problem =
                        assertRefused(
                                post(query, "application/yaml", body),
                                422,
                                "invalid-configuration");
                assertThat(problem.get("violations").valueStream().map(each -> text(each, "file")))
                        .containsOnly("body");
                assertThat(
                                problem.get("violations")
                                        .valueStream()
                                        .map(each -> each.get("line").intValue()))
                        .containsExactly(3, 5, 7);
                assertThat(
                                problem.get("violations")
                                        .valueStream()
                                        .map(each -> text(each, "message")))
                        .noneMatch(String::isBlank);
            }
            assertThat(version()).isEqualTo(version);
        }

        @Test
        void malformedJsonYamlAndGzipAreInvalid() {
            assertRefused(post("", "application/json", "{"), 422, "invalid-configuration");
            assertRefused(post("", "application/yaml", "a: ["), 422, "invalid-configuration");
            assertRefused(post("", "application/gzip", "text"), 422, "invalid-configuration");
        }

        @ParameterizedTest
        @ValueSource(strings = {"{}", "null", "{\"reactions\":[],\"namespaces\":null}"})
        void anEmptyOneIsRefused(String body) {
            configure(TestRules.shared()); // this instance may lag behind the other
            long version = version();

            assertRefused(post("", "application/json", body), 422, "invalid-configuration");
            assertRefused(
                    post("?allow_empty=false", "application/json", body),
                    422,
                    "invalid-configuration");
            assertThat(version()).isEqualTo(version);
        }

        @Test
        void anEmptyConfigurationIsAcceptedWithAllowEmpty() {
            given("letters", "ann", "a");
            try {
                assertApplied(post("?allow_empty=true&accept_loss=true", "application/json", "{}"));

                assertRefused(add("letters", "ben", "a"), 403, "unknown-namespace");
                assertRefused(other.add("letters", entity, "ben", "a"), 403, "unknown-namespace");
                assertProblem(read(service, "letters"), 404, "unknown-namespace");
                assertOk(remove("letters", "ann", "a"));
            } finally {
                configure(TestRules.shared());
            }
            assertThat(counts("letters")).isEmpty();
        }

        @Test
        void flagsHaveTwoValues() {
            String body = rules().json();

            assertViolations(post("?dry_run=1", "application/json", body), "dry_run");
            assertViolations(post("?allow_empty=yes", "application/json", body), "allow_empty");
        }

        @Test
        void moreThanTheLimitIsTooLarge() {
            String head =
                    RawHttp.head(
                            "POST",
                            "/configuration",
                            "Content-Type: application/json",
                            "Content-Length: " + (4 * 1024 * 1024 + 2),
                            "Expect: 100-continue");

            RawHttp.Reply reply = RawHttp.send(service.port(), head, "");

            assertThat(reply.status()).isEqualTo(413);
            assertThat(reply.body()).contains("\"code\":\"content-too-large\"");
        }
    }

    @Nested
    class Rehearsing {

        @Test
        void aDryRunReportsTheChangesAndAppliesNone() {
            configure(TestRules.shared());
            long version = version();
            String body =
                    rules().json()
                            .replaceFirst("\"max_uniq_reactions\":6", "\"max_uniq_reactions\":7");
            Answer answer = post("?dry_run=true", "application/json", body);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(text(answer.json(), "status")).isEqualTo("ok");
            List<String> changes = texts(answer.json().get("changes"));
            assertThat(changes).hasSize(3);
            assertThat(changes).anySatisfy(line -> assertThat(line).contains(own, "added"));
            assertThat(changes)
                    .anySatisfy(
                            line ->
                                    assertThat(line)
                                            .contains("letters", "max_uniq_reactions", "6", "7"));
            assertThat(version()).isEqualTo(version);
            assertRefused(add(own, "ann", "a"), 403, "unknown-namespace");
        }

        @Test
        void aDryRunOfTheRulesInForceReportsNoChange() {
            configure(TestRules.shared());
            Answer answer = post("?dry_run=true", "text/yaml", TestRules.shared().json());

            assertThat(texts(answer.json().get("changes"))).isEmpty();
        }

        @Test
        void anEmptyOneMayBeRehearsedToo() {
            Answer answer = post("?dry_run=true&allow_empty=true", "application/json", "{}");

            assertThat(texts(answer.json().get("changes")))
                    .anySatisfy(line -> assertThat(line).contains("letters", "removed"));
            assertOk(add("letters", "ann", "a"));
        }
    }

    /** A namespace of this test's own, in which only one reaction, a, can be added. */
    private TestRules rules() {
        return TestRules.shared().namespace(own, 1, "a");
    }

    private void assertInForce() {
        for (Instance each : List.of(service, other)) {
            assertOk(each.add(own, each.port() + entity, "ann", "a"));
            assertRefused(each.add(own, entity, "ann", "b"), 403, "unknown-reaction");
        }
        assertThat(ids(reactions(own))).containsExactly("a");
        assertThat(ids(reactions("letters"))).hasSize(6);
    }

    private Answer post(String query, String type, String body) {
        return service.send("POST", "/configuration" + query, body, "Content-Type", type);
    }

    private JsonNode reactions(String namespace) {
        Answer answer = service.get("/configuration/available_reactions?namespace_id=" + namespace);
        assertThat(answer.status()).isEqualTo(200);
        return answer.json().get("reactions");
    }

    private static List<String> ids(JsonNode reactions) {
        return reactions.valueStream().map(each -> text(each, "id")).toList();
    }

    private long version() {
        return service.get("/actuator/namespaces").json().get("version").longValue();
    }

    private static byte[] archive(Path directory) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            for (String name : List.of("reactions.yaml", "reaction_sets.yaml", "namespaces.yaml")) {
                byte[] content = Files.readAllBytes(directory.resolve(name));
                var entry = new TarArchiveEntry("config/" + name);
                entry.setSize(content.length);
                tar.putArchiveEntry(entry);
                tar.write(content);
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }
}
