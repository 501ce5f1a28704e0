package dev.ovation.rules.reader;

import static dev.ovation.rules.reader.RulesFixture.bytes;
import static dev.ovation.rules.reader.RulesFixture.json;
import static dev.ovation.rules.reader.RulesFixture.violations;
import static dev.ovation.rules.reader.RulesFixture.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.Namespace;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionSet;
import dev.ovation.rules.RuleSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

class ConfigurationBodyTest {

    private static final String YAML =
            """
            reactions:
            - {id: 👍, type: unicode, code: 👍, short_name: up}
            - {id: 👎, type: unicode, code: 👎, value: -1}
            reaction_sets:
            - {id: thumbs, reaction_ids: [👎, 👍]}
            namespaces:
            - id: posts
              reaction_set_id: thumbs
              max_uniq_reactions: 2
              mutually_exclusive_reactions: [[👍, 👎]]
            """;

    private static final List<Function<String, RuleSet>> FORMS =
            List.of(RulesFixture::yaml, RulesFixture::json);

    private static void assertThumbs(RuleSet configuration) {
        assertThat(configuration.reactions())
                .containsExactly(
                        new ReactionDefinition("👍", "up", "unicode", "👍", null, null),
                        new ReactionDefinition(
                                "👎", null, "unicode", "👎", null, new BigDecimal("-1")));
        assertThat(configuration.reactionSets())
                .containsExactly(new ReactionSet("thumbs", List.of("👎", "👍")));
        assertThat(configuration.namespaces())
                .containsExactly(new Namespace("posts", "thumbs", 2, List.of(List.of("👍", "👎"))));
    }

    @Test
    void yamlIsRead() {
        assertThumbs(yaml(YAML));
    }

    @Test
    void jsonIsReadWithEscapesTabsAndNumbersAsWritten() {
        assertThumbs(
                json(
                        """
                        {
                        \t"reactions": [
                        \t\t{"id": "\\ud83d\\udc4d", "type": "unicode", "code": "👍", "short_name": "up"},
                        \t\t{"id": "👎", "type": "unicode", "code": "\\uD83D\\uDC4E", "value": -1}
                        \t],
                        \t"reaction_sets": [{"id": "thumbs", "reaction_ids": ["👎", "👍"]}],
                        \t"namespaces": [{
                        \t\t"id": "posts",
                        \t\t"reaction_set_id": "thumbs",
                        \t\t"max_uniq_reactions": 2,
                        \t\t"mutually_exclusive_reactions": [["👍", "👎"]]
                        \t}]
                        }
                        """));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                " https://h/p",
                "http://h/p",
                "//h/p",
                "/p.webp",
                "https://",
                "https://h/a b",
                "data:text/html,a",
                "vbscript:x"
            })
    void aUrlThatRunsOrIsFetchedInClearTextIsRefused(String url) {
        assertThat(violations(() -> yaml(picture(url))))
                .containsExactly(
                        "body:2: url of reaction \"p\" must begin with https:// or data:image/, not \""
                                + url
                                + '"');
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://h/p.webp", "HTTPS://h", "data:image/png;base64,aGk="})
    void otherUrlsAreStoredAsTheyAre(String url) {
        assertThat(yaml(picture(url)).reactions())
                .containsExactly(new ReactionDefinition("p", null, "custom", null, url, null));
    }

    private static String picture(String url) {
        return "reactions:\n- {id: p, type: custom, url: \"%s\"}\n".formatted(url);
    }

    @Test
    void jsonMayEscapeSlashes() {
        assertThat(
                        json("{\"reactions\":[{\"id\":\"p\",\"type\":\"custom\",\"url\":\"https:\\/\\/h\\/p\"}]}")
                                .reactions())
                .containsExactly(
                        new ReactionDefinition("p", null, "custom", null, "https://h/p", null));
    }

    @Test
    void keysMatchWithoutRegardToCaseUnderscoresAndPlural() {
        assertThumbs(
                json(
                        """
                        {"Reaction": [
                          {"Id": "👍", "Type": "unicode", "Code": "👍", "ShortName": "up"},
                          {"ID": "👎", "TYPE": "unicode", "CODE": "👎", "shortname": null, "Value": -1}],
                         "ReactionSets": [{"ID": "thumbs", "reactionIds": ["👎", "👍"]}],
                         "namespace": [{
                          "id": "posts", "ReactionSetId": "thumbs", "MAX_UNIQ_REACTIONS": 2,
                          "mutuallyexclusivereactions": [["👍", "👎"]]}]}
                        """));
        assertThumbs(
                yaml(
                        YAML.replace("reaction_sets:", "reaction_set:")
                                .replace("reactions:\n", "reaction:\n")));
    }

    @Test
    void numbersAndBooleansAreTakenAsWritten() {
        String reactions = "[{\"id\":1.0,\"type\":\"unicode\",\"code\":true,\"value\":\"0.50\"}]";
        assertThat(json("{\"reactions\":" + reactions + "}").reactions())
                .containsExactly(
                        new ReactionDefinition(
                                "1.0", null, "unicode", "true", null, new BigDecimal("0.5")));
        assertThat(yaml("reactions: [{id: 010, type: unicode, code: ~x, value: 10}]").reactions())
                .containsExactly(
                        new ReactionDefinition(
                                "010", null, "unicode", "~x", null, new BigDecimal("10")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "{\"reactions\":null,\"reaction_sets\":null,\"namespaces\":null}",
                "{\"reaction\":[]}"
            })
    void nullCountsAsAbsentAndAbsentAsEmpty(String body) {
        assertThat(json(body).isEmpty()).isTrue();
        assertThat(yaml(body).isEmpty()).isTrue();
    }

    @Test
    void anEmptyBodyIsEmptyYamlButNotJson() {
        assertThat(yaml("").isEmpty()).isTrue();
        assertThat(violations(() -> json("")))
                .singleElement()
                .asString()
                .startsWith("body:1: is not JSON: there is nothing in it");
    }

    @Test
    void violationsNameTheBodyAndItsLines() {
        String body =
                """
                {"reactions": [{
                  "id": "a", "type": "unicode",
                  "Id": "b"
                 }],
                 "colours": [],
                 "ReactionSets": [
                   {"id": "s",
                    "reaction_ids": ["a",
                                     "c"]}],
                 "reaction_set": []}
                """;
        List<String> expected =
                List.of(
                        "body:1: code of reaction \"a\" is missing",
                        "body:3: id is there twice, first in line 2",
                        "body:5: unknown key \"colours\" in the body, which has reactions,"
                                + " reaction_sets, namespaces",
                        "body:9: reaction_ids of reaction set \"s\" names \"c\", which is not defined",
                        "body:10: reaction_sets is there twice, first in line 6");
        assertThat(violations(() -> json(body))).isEqualTo(expected);
        assertThat(violations(() -> yaml(body))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[{\"id\":\"a\"}]"})
    void theBodyIsAMapping(String body) {
        List<String> expected =
                List.of("body:1: the body must be a mapping of keys to values, not a list");
        assertThat(violations(() -> json(body))).isEqualTo(expected);
        assertThat(violations(() -> yaml(body))).isEqualTo(expected);
    }

    @Test
    void aListOfTheWrongKindIsOneViolation() {
        assertThat(
                        violations(
                                () ->
                                        yaml(
                                                """
                                                reactions: {}
                                                reaction_sets:
                                                - {id: s, reaction_ids: [a]}
                                                """)))
                .containsExactly("body:1: reactions must be a list, not a mapping");
    }

    @Test
    void invalidJsonIsReportedWithItsLine() {
        assertThat(violations(() -> json("{\"reactions\":\n[}")))
                .singleElement()
                .asString()
                .startsWith("body:2: is not JSON: ");
        assertThat(violations(() -> json("{}\n{}")))
                .singleElement()
                .asString()
                .startsWith("body:2: is not JSON: something follows its end");
        assertThat(violations(() -> json("{\"reactions\":[\n")))
                .singleElement()
                .asString()
                .startsWith("body:2: is not JSON: ");
        assertThat(violations(() -> json("# comment")))
                .singleElement()
                .asString()
                .startsWith("body:1: is not JSON: ");
    }

    @Test
    void jsonIsLimitedInDepthAndSize() {
        assertThat(violations(() -> json("[".repeat(100_000))))
                .singleElement()
                .asString()
                .isEqualTo(
                        "body: is not JSON: it nests deeper than 20 levels,"
                                + " or has too long a number or name");
        assertThat(violations(() -> json(" ".repeat(3 * 1024 * 1024 + 1))))
                .containsExactly("body: is larger than 3145728 bytes");
    }

    @Test
    void anUnpairedSurrogateOrNulInJsonIsAWrongForm() {
        String body = "{\"reactions\":[{\"id\":\"%s\",\"type\":\"unicode\",\"code\":\"a\"}]}";
        assertThat(violations(() -> json(body.formatted("x\\ud83d"))))
                .containsExactly(
                        "body:1: id of reaction \"x\uFFFD\" must not contain the unpaired surrogate"
                                + " U+D83D");
        assertThat(violations(() -> json(body.formatted("x\\u0000"))))
                .containsExactly(
                        "body:1: id of reaction \"x\uFFFD\" must not contain the control character"
                                + " U+0000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e3", ".5", "1.", "+1", "0x10", "1_000", "007", "1234567890", "NaN"})
    void valuesAreNumbersInDecimalsOnly(String value) {
        assertThat(
                        violations(
                                () ->
                                        yaml(
                                                "reactions: [{id: a, type: unicode, code: a, value: %s}]"
                                                        .formatted(value))))
                .containsExactly(
                        "body:1: value of reaction \"a\" must be a number with at most 9 digits before"
                                + " and after the point, not \"%s\"".formatted(value));
    }

    @Test
    void longIdsAreRefusedAndCutInMessages() {
        String id = "x".repeat(257);
        assertThat(
                        violations(
                                () ->
                                        yaml(
                                                "reactions: [{id: %s, type: unicode, code: a}]"
                                                        .formatted(id))))
                .containsExactly(
                        "body:1: id of reaction \"%s…\" must not be longer than 256 bytes"
                                .formatted("x".repeat(100)));
    }

    @Test
    void theHashIsOfTheBody() {
        String hash = ConfigurationBody.yaml(bytes(YAML)).hash();
        assertThat(hash).matches("[0-9a-f]{64}");
        assertThat(ConfigurationBody.yaml(bytes(YAML)).hash()).isEqualTo(hash);
        assertThat(ConfigurationBody.yaml(bytes(YAML + "\n")).hash()).isNotEqualTo(hash);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyBodyGivesAConfigurationOrItsViolations(long seed) {
        Random random = new Random(seed);
        String pieces = "\"'[]{}:,-?&*!|>%@`#~\\\t\n 0x\uFE0F\u0085\u0000";
        String json = yaml(YAML).toJson();
        int refused = 0;
        for (int i = 0; i < 377; i++) {
            StringBuilder body = new StringBuilder(i % 2 == 0 ? YAML : json);
            for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
                char piece = pieces.charAt(random.nextInt(pieces.length()));
                body.setCharAt(random.nextInt(body.length()), piece);
            }
            refused += refusals(body.toString());
        }
        assertThat(refused).isPositive();
    }

    /** Any other exception is not caught and fails the test. */
    private static int refusals(String body) {
        int refusals = 0;
        for (Function<String, RuleSet> form : FORMS) {
            try {
                assertThat(form.apply(body)).isNotNull();
            } catch (InvalidConfigurationException e) {
                assertThat(e.violations()).isNotEmpty();
                refusals++;
            }
        }
        return refusals;
    }
}
