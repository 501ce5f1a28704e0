package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.json.JsonMapper;

import java.text.Normalizer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Valid ids, and the equality of ids. */
class IdsApiTest extends ApiFixture {

    /** As entity, as user and, if the configuration has it, as reaction. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                TestRules.ODD,
                "/",
                "\\",
                ";",
                "%",
                "%2F",
                "..",
                ".",
                "|",
                "{}",
                ":",
                "a:b",
                "{7}:meta",
                " ",
                "null",
                "0",
                "-1",
                "👍🏽",
                "👩‍💻",
                "*",
                "'; drop table entity; --",
                "\u00a0",
                "ß",
                "\ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc7f"
            })
    void everyPrintableTextIsAnIdOfEntitiesAndUsers(String id) {
        String thing = id + entity;

        assertOk(service.add("letters", thing, id, "a"));
        var shown = other.read("letters", thing, id).json();
        assertThat(text(shown, "entity_id")).isEqualTo(thing);
        assertThat(text(shown.get("user_reactions"), "user_id")).isEqualTo(id);
        assertThat(own(shown)).containsExactly("a");
        assertOk(deleteByQuery("letters", thing, id, "a"));
        assertThat(counts(service.read("letters", thing, null).json())).isEmpty();
    }

    @Test
    void anOddReactionIsOneLikeAnyOther() {
        given("posts", "ann", TestRules.ODD);
        given("posts", "ben", TestRules.ODD);

        assertThat(counts("posts")).isEqualTo(TestRules.ODD + " 2");
        assertThat(own("posts", "ann")).containsExactly(TestRules.ODD);
        assertOk(deleteByQuery("posts", entity, "ann", TestRules.ODD));
        assertThat(counts("posts")).isEqualTo(TestRules.ODD + " 1");
    }

    @Nested
    class Lengths {

        @Test
        void goUpTo256Bytes() {
            String id = entity + "x".repeat(256 - entity.length());

            assertOk(service.add("letters", id, id, "a"));
            assertThat(own(service.read("letters", id, id).json())).containsExactly("a");
            assertOk(service.remove("letters", id, id, "r".repeat(256)));
        }

        @Test
        void countBytesAndNotCharacters() {
            assertOk(service.add("letters", entity, "👍".repeat(64), "a"));

            assertViolations(service.add("letters", entity, "👍".repeat(64) + "x", "a"), "user_id");
        }

        @Test
        void beyondAreNamedInEveryCall() {
            String id = "x".repeat(257);

            assertViolations(
                    service.add("letters", id, id, id), "entity_id", "user_id", "reaction_id");
            assertViolations(
                    service.remove("letters", id, id, id), "entity_id", "user_id", "reaction_id");
            assertViolations(service.read("letters", id, id), "entity_id", "user_id");
        }

        @Test
        void ofNamespacesGoUpTo64() {
            String id = "Az0.-_" + "n".repeat(58);

            assertProblem(read(service, id), 404, "unknown-namespace");
            assertViolations(read(service, id + "n"), "namespace_id");
        }
    }

    @Nested
    class Missing {

        @Test
        void areNamedAllAtOnce() {
            assertViolations(
                    service.send("POST", "/reactions", "{}"),
                    "namespace_id",
                    "entity_id",
                    "user_id",
                    "reaction_id");
            assertViolations(
                    service.send("DELETE", "/reactions", null),
                    "namespace_id",
                    "entity_id",
                    "user_id",
                    "reaction_id");
            assertViolations(service.get("/reactions"), "namespace_id", "entity_id");
        }

        @ParameterizedTest
        @ValueSource(strings = {"namespace_id", "entity_id", "user_id", "reaction_id"})
        void areEmptyOnesToo(String field) {
            assertViolations(service.send("POST", "/reactions", with(field, "")), field);
            assertViolations(service.send("DELETE", "/reactions", with(field, "")), field);
        }

        @ParameterizedTest
        @ValueSource(strings = {"null", "7", "true", "[]", "{}"})
        void areThoseThatAreNoText(String json) {
            String body = Instance.body("letters", entity, "ann", "a").replace("\"ann\"", json);

            assertViolations(service.send("POST", "/reactions", body), "user_id");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a/b", "é", "a:b", "*", "a\\b", "{1}"})
    void namespacesHaveAForm(String id) {
        assertViolations(read(service, id), "namespace_id");
        assertViolations(add(id, "ann", "a"), "namespace_id");
        assertViolations(remove(id, "ann", "a"), "namespace_id");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x0a, 0x1f, 0x7f, 0x80, 0x9f})
    void controlCharactersAreNamed(int character) {
        String id = "a" + Character.toString(character) + "b";

        assertViolations(service.add("letters", id, id, id), "entity_id", "user_id", "reaction_id");
        assertViolations(read(service, "letters", "viewer_id", id), "viewer_id");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\udc00", "\\udc00\\ud800", "x\\ud83dx"})
    void unpairedSurrogatesAreNamed(String escapes) {
        String body = Instance.body("letters", entity, "ann", "a").replace("ann", escapes);

        assertViolations(service.send("POST", "/reactions", body), "user_id");
    }

    @Test
    void idsAreComparedByteForByte() {
        String composed = Normalizer.normalize("é", Normalizer.Form.NFC);
        String decomposed = Normalizer.normalize("é", Normalizer.Form.NFD);
        given("letters", composed, "a");
        given("letters", decomposed, "a");
        given("letters", "ann", "a");
        given("letters", "Ann", "a");
        given("letters", "ann ", "a");

        assertThat(counts("letters")).isEqualTo("a 5");
        assertOk(service.add("letters", composed + entity, "ann", "a"));
        assertThat(counts(service.read("letters", decomposed + entity, null).json())).isEmpty();
    }

    /** Configured reaction, sent reaction, stored reaction. */
    @ParameterizedTest
    @CsvSource({
        "❤️,   ❤️,    ❤",
        "❤️,   ❤,     ❤",
        "☺,    ☺️,    ☺",
        "☺,    ☺,     ☺",
        "👍🏽, 👍🏽,  👍🏽",
        "👩‍💻, 👩‍💻, 👩‍💻",
        "👩‍💻, 👩‍💻\ufe0f, 👩‍💻",
        "é,    e\u0301, é"
    })
    void reactionsAreMatchedByTheirKeyAndAnsweredAsConfigured(
            String configured, String sent, String stored) throws Exception {
        assertOk(add("posts", "ann", sent));

        assertThat(counts("posts")).isEqualTo(configured + " 1");
        assertThat(own("posts", "ann")).containsExactly(configured);
        assertThat(Rows.of("posts", entity)).containsExactly("ann " + stored);
        assertRefused(add("posts", "ann", configured), 403, "reaction-already-exists");
        Answer removal = remove("posts", "ann", sent, "Prefer", "return=representation");
        assertThat(texts(removal.json().get("removed"))).containsExactly(configured);
        assertThat(counts("posts")).isEmpty();
    }

    @Test
    void bothSpellingsOfAHeartAreCountedTogether() {
        given("posts", "ann", "❤️");
        given("posts", "ben", "❤");

        assertThat(counts("posts")).isEqualTo("❤️ 2");
    }

    @Test
    void skinTonesAreReactionsOfTheirOwnThatMayConflict() {
        given("posts", "ann", "👍");
        given("posts", "ben", "👍🏽");

        assertThat(counts("posts")).isEqualTo("👍 1, 👍🏽 1");
        var problem = assertRefused(add("posts", "ann", "👍🏽"), 403, "conflicting-reaction");
        assertThat(texts(problem.get("conflicting"))).isEqualTo(List.of("👍"));
    }

    /** A part of a joined emoji is another reaction, or none. */
    @Test
    void partsOfAnEmojiAreNotTheEmoji() {
        assertRefused(add("posts", "ann", "👩"), 403, "unknown-reaction");
        assertRefused(add("posts", "ann", "👩💻"), 403, "unknown-reaction");
    }

    private Answer deleteByQuery(String namespace, String thing, String user, String reaction) {
        var query = new LinkedHashMap<String, String>();
        query.put("namespace_id", namespace);
        query.put("entity_id", thing);
        query.put("user_id", user);
        query.put("reaction_id", reaction);
        return service.send("DELETE", "/reactions?" + Instance.encode(query), null);
    }

    /** A complete body in which one member is replaced. */
    private String with(String field, String value) {
        var body =
                new LinkedHashMap<>(
                        Map.of(
                                "namespace_id",
                                "letters",
                                "entity_id",
                                entity,
                                "user_id",
                                "ann",
                                "reaction_id",
                                "a"));
        body.put(field, value);
        return JsonMapper.shared().writeValueAsString(body);
    }
}
