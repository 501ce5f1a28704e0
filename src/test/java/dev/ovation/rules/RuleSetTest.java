package dev.ovation.rules;

import static dev.ovation.rules.reader.RulesFixture.good;
import static dev.ovation.rules.reader.RulesFixture.json;
import static dev.ovation.rules.reader.RulesFixture.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class RuleSetTest {

    private static final String BEFORE =
            """
            reactions:
            - {id: a, type: unicode, code: a}
            - {id: b, type: unicode, code: b, value: 2}
            - {id: "\\u2764", type: unicode, code: h}
            reaction_sets:
            - {id: s, reaction_ids: [a, b]}
            - {id: t, reaction_ids: [a]}
            namespaces:
            - {id: posts, reaction_set_id: s, max_uniq_reactions: 6}
            - {id: gone, reaction_set_id: t, max_uniq_reactions: 1}
            """;

    @Test
    void theStoredFormIsPlainJson() {
        assertThat(
                        yaml("""
                                        reactions: [{id: a, type: unicode, code: a, value: 0.000000001}]
                                        reaction_sets: [{id: s, reaction_ids: [a]}]
                                        namespaces:
                                        - id: n
                                          reaction_set_id: s
                                          max_uniq_reactions: 1
                                          mutually_exclusive_reactions: [[a]]
                                        """)
                                .toJson())
                .isEqualTo(
                        "{\"reactions\":[{\"id\":\"a\",\"type\":\"unicode\",\"code\":\"a\","
                                + "\"value\":0.000000001}],"
                                + "\"reaction_sets\":[{\"id\":\"s\",\"reaction_ids\":[\"a\"]}],"
                                + "\"namespaces\":[{\"id\":\"n\",\"reaction_set_id\":\"s\","
                                + "\"max_uniq_reactions\":1,"
                                + "\"mutually_exclusive_reactions\":[[\"a\"]]}]}");
    }

    @Test
    void aStoredRuleSetIsReadBackUnchanged() {
        RuleSet read = RuleSet.fromJson(good().toJson());
        assertThat(read.reactions()).isEqualTo(good().reactions()).hasSize(7);
        assertThat(read.reactionSets()).isEqualTo(good().reactionSets()).hasSize(2);
        assertThat(read.namespaces()).isEqualTo(good().namespaces()).hasSize(3);
        assertThat(read.namespace("posts").excluded("👎")).containsExactly("👍", "\u2764", "party");
    }

    @Test
    void theStoredFormIsAValidRequestBody() {
        assertThat(json(good().toJson()).toJson()).isEqualTo(good().toJson());
    }

    @Test
    void unknownMembersOfAStoredVersionAreIgnored() {
        RuleSet read =
                RuleSet.fromJson(
                        """
                        {"reactions":[{"id":"a","type":"animated","code":"a","sound":"boing"}],
                         "reaction_sets":[],"namespaces":[],"themes":[{"id":"dark"}]}
                        """);
        assertThat(read.reactions())
                .containsExactly(new ReactionDefinition("a", null, "animated", "a", null, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"reactions\":[",
                "{\"reactions\":[],\"reaction_sets\":[],\"namespaces\":"
                        + "[{\"id\":\"n\",\"reaction_set_id\":\"s\",\"max_uniq_reactions\":1,"
                        + "\"mutually_exclusive_reactions\":[]}]}"
            })
    void otherTextsAreNoStoredVersions(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> RuleSet.fromJson(text));
    }

    @Test
    void theDiffDescribesEachChange() {
        String after =
                """
                reactions:
                - {id: party, type: custom, url: "https://h/p"}
                - {id: b, type: unicode, code: B, short_name: bee}
                - {id: "\\u2764\\uFE0F", type: unicode, code: h}
                reaction_sets:
                - {id: s, reaction_ids: [b, party]}
                namespaces:
                - id: posts
                  reaction_set_id: s
                  max_uniq_reactions: 3
                  mutually_exclusive_reactions: [[b, party]]
                - {id: new, reaction_set_id: s, max_uniq_reactions: 1}
                """;
        assertThat(RuleSet.diff(yaml(BEFORE), yaml(after)))
                .containsExactly(
                        "reaction party added",
                        "reaction b: code b -> B",
                        "reaction b: short_name none -> bee",
                        "reaction b: value 2 -> none",
                        "reaction \u2764\uFE0F: id \u2764 -> \u2764\uFE0F",
                        "reaction a removed",
                        "reaction set s: reaction_ids [a, b] -> [b, party]",
                        "reaction set t removed",
                        "namespace posts: max_uniq_reactions 6 -> 3",
                        "namespace posts: mutually_exclusive_reactions [] -> [[b, party]]",
                        "namespace new added",
                        "namespace gone removed");
    }

    @Test
    void sameContentInOtherWordsIsNoChange() {
        String respelled =
                BEFORE.replace("value: 2", "value: 2.0")
                        .replace("max_uniq_reactions: 6", "MaxUniqReactions: \"6\"");
        assertThat(RuleSet.diff(yaml(BEFORE), yaml(respelled))).isEmpty();
    }

    @Test
    void theListsOfARuleSetAreUnmodifiable() {
        List<ReactionDefinition> reactions = good().reactions();
        assertThat(reactions).isUnmodifiable();
        assertThat(good().namespaces().getFirst().mutuallyExclusiveReactions()).isUnmodifiable();
        assertThat(good().namespace("posts").excluded("👍")).isUnmodifiable();
    }
}
