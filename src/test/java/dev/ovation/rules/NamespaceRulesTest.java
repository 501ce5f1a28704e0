package dev.ovation.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.reader.RulesFixture;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.List;

class NamespaceRulesTest {

    private static final String HEART = "\u2764";
    private static final String CONFIGURED_HEART = "\u2764\uFE0F";

    private final RuleSet configuration = RulesFixture.good();
    private final NamespaceRules posts = configuration.namespace("posts");

    @Test
    void namespacesAreFoundByTheirExactIdOnly() {
        assertThat(posts.namespace().id()).isEqualTo("posts");
        assertThat(configuration.namespace("Posts")).isNull();
        assertThat(configuration.namespace("")).isNull();
    }

    @Test
    void reactionsComeInTheOrderOfTheSet() {
        assertThat(posts.reactions())
                .extracting(ReactionDefinition::id)
                .containsExactly("👍", "👎", CONFIGURED_HEART, "party", "1");
        assertThat(posts.keys()).containsExactly("👍", "👎", HEART, "party", "1");
        assertThat(posts.position("👍")).isEqualTo(0);
        assertThat(posts.position("1")).isEqualTo(4);
    }

    @Test
    void aReactionHasItsConfiguredFieldsAndNullForMissingOnes() {
        assertThat(posts.reaction("👍"))
                .isEqualTo(new ReactionDefinition("👍", "thumbs up", "unicode", "👍", null, null));
        assertThat(posts.reaction("1"))
                .isEqualTo(
                        new ReactionDefinition(
                                "1", null, "unicode", "1", null, new BigDecimal("1.5")));
        assertThat(posts.reaction("yes"))
                .isEqualTo(new ReactionDefinition("yes", null, "unicode", "✅", null, null));
        assertThat(posts.reaction("party").url()).isEqualTo("https://example.com/party.webp");
    }

    @Test
    void aReactionIsKnownInAnySpelling() {
        assertThat(posts.key(HEART)).isEqualTo(HEART);
        assertThat(posts.key(CONFIGURED_HEART)).isEqualTo(HEART);
        assertThat(posts.spelling(HEART)).isEqualTo(CONFIGURED_HEART);
    }

    @Test
    void otherReactionsHaveNoKey() {
        assertThat(posts.key("👍🏽")).isNull();
        assertThat(posts.key("unheard")).isNull();
        assertThat(posts.spelling("unheard")).isNull();
    }

    @Test
    void aReactionThatLeftTheSetKeepsItsSpellingAndComesLast() {
        assertThat(posts.key("old")).isNull();
        assertThat(posts.contains("old")).isFalse();
        assertThat(posts.spelling("old")).isEqualTo("old");
        assertThat(posts.reaction("old").code()).isEqualTo("🦖");
        assertThat(posts.excluded("old")).isEmpty();
        assertThat(posts.position("old")).isEqualTo(5);
    }

    @Test
    void overlappingGroupsExcludeTheOtherMembersOfAllOfThem() {
        assertThat(posts.excluded("👍")).containsExactly("👎");
        assertThat(posts.excluded("👎")).containsExactly("👍", HEART, "party");
        assertThat(posts.excluded(HEART)).containsExactly("👎", "party");
    }

    @Test
    void aReactionExcludesOnlyTheOtherMembersOfItsGroups() {
        assertThat(posts.excluded("party")).containsExactly("👎", HEART);
        assertThat(posts.excluded("1")).isEmpty();
    }

    @Test
    void groupsAndSetsAreTheConfiguredOnesInTheSpellingOfTheReactions() {
        assertThat(posts.namespace().mutuallyExclusiveReactions())
                .containsExactly(
                        List.of("👍", "👎"),
                        List.of("👎", CONFIGURED_HEART, "party"),
                        List.of("party"),
                        List.of());
        assertThat(configuration.reactionSets().getFirst().reactionIds())
                .containsExactly("👍", "👎", CONFIGURED_HEART, "party", "1");
    }

    @Test
    void limitsGoFromNothingToAllThatFitsAnInt() {
        assertThat(posts.maxUniqReactions()).isEqualTo(6);
        assertThat(configuration.namespace("closed").maxUniqReactions()).isEqualTo(0);
        assertThat(configuration.namespace("closed").reactions()).isEmpty();
        assertThat(configuration.namespace("A.b_c-9").maxUniqReactions()).isEqualTo(2147483647);
    }
}
