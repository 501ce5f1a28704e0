package dev.ovation.rules.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.RuleSet;
import dev.ovation.rules.constraint.AttributeType;
import dev.ovation.rules.constraint.NamespaceConstraints;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Constraints and attributes of a namespace, as a configuration writes them. */
class ConstraintReaderTest {

    private static String rules(String set, String namespace) {
        return """
        reactions:
          - {id: 👍, short_name: ":thumbsup:", type: unicode, code: 👍}
          - {id: ❤️, type: unicode, code: ❤️}
        reaction_sets:
          - {id: s, reaction_ids: [👍, ❤️], %s}
        namespaces:
          - id: n
            reaction_set_id: s
            max_uniq_reactions: 3
        %s
        """
                .formatted(set, namespace.indent(4));
    }

    private static String constraint(String expression) {
        return """
        constraints:
          - id: one
            expression: "%s"
            message: one
        """
                .formatted(expression);
    }

    private static NamespaceConstraints read(String set, String namespace) {
        RuleSet rules = RulesFixture.yaml(rules(set, namespace));
        return RuleSet.fromJson(rules.toJson()).namespace("n").constraints();
    }

    /** As a request may name it. */
    @Test
    void aReactionMayHaveEachOfItsNames() {
        for (String name : List.of("👍", "👍🏽", "👍\uFE0F", ":thumbsup:")) {
            String programs =
                    read("skin_tones: fold", constraint("!('%s' in added)".formatted(name)))
                            .programs();
            assertThat(programs).as(name).contains("s👍").doesNotContain("thumbsup", "🏽");
        }
    }

    @Test
    void aNameOfNoReactionOfAClosedSetIsAViolation() {
        for (String name : List.of("👍🏽", ":party:", "snow")) {
            assertThat(
                            RulesFixture.violations(
                                    () ->
                                            read(
                                                    "open: none",
                                                    constraint("'%s' in added".formatted(name)))))
                    .singleElement()
                    .asString()
                    .startsWith("body:12: expression of constraint \"one\" names")
                    .contains(name, "must be defined in these lists");
        }
        assertThat(read("open: emoji", constraint("'👍🏽' in added")).programs()).contains("s👍🏽");
    }

    @Test
    void anAttributeMayBeOfTheTokenAlone() {
        String attributes = "attributes: {age: int, roles: {type: list, from: token}}";
        RuleSet rules = RulesFixture.yaml(rules("open: none", attributes));
        NamespaceConstraints stored = read("open: none", attributes);

        assertThat(rules.namespaces().getFirst().attributes())
                .isEqualTo(
                        Map.of(
                                "age", new AttributeType.Declaration("int", null),
                                "roles", new AttributeType.Declaration("list", "token")));
        assertThat(rules.toJson())
                .contains("\"age\":\"int\"", "\"roles\":{\"type\":\"list\",\"from\":\"token\"}");
        assertThat(stored.attributes()).containsOnlyKeys("age", "roles");
        assertThat(stored.isWithheldFromBodies("roles")).isTrue();
        assertThat(stored.isWithheldFromBodies("age")).isFalse();
    }

    @Test
    void otherDeclarationsAreViolations() {
        for (String declaration :
                List.of(
                        "float",
                        "[int]",
                        "{from: token}",
                        "{type: float, from: token}",
                        "{type: int, from: body}",
                        "{type: int, source: token}")) {
            assertThat(
                            RulesFixture.violations(
                                    () ->
                                            read(
                                                    "open: none",
                                                    "attributes: {age: %s}"
                                                            .formatted(declaration))))
                    .as(declaration)
                    .singleElement()
                    .asString()
                    .startsWith("body:10: ");
        }
    }
}
