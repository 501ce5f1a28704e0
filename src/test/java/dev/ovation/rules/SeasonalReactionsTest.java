package dev.ovation.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.Availability.AgeRange;
import dev.ovation.rules.Availability.Audience;
import dev.ovation.rules.reader.RulesFixture;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

/** Seasonal reactions beside the lists of a rule set. */
class SeasonalReactionsTest {

    private static final RuleSet LISTS = lists("a, b");
    private static final SeasonalReaction TREE = new SeasonalReaction("s", reaction("tree"));

    private static RuleSet lists(String reactions) {
        var items = new StringBuilder();
        for (String id : reactions.split(", ")) {
            items.append("- {id: %s, type: unicode, code: listed}%n".formatted(id));
        }
        return RulesFixture.yaml(
                """
                reactions:
                %sreaction_sets:
                - {id: s, reaction_ids: [%s]}
                namespaces:
                - {id: posts, reaction_set_id: s, max_uniq_reactions: 9}
                """
                        .formatted(items, reactions));
    }

    private static ReactionDefinition reaction(String id) {
        var audience = new Audience(new AgeRange(18, null), List.of("f"), List.of(), List.of());
        var available = new Availability(null, Instant.parse("2026-12-27T00:00:00Z"), audience);
        return new ReactionDefinition(id, null, "unicode", "seasonal", null, null, available);
    }

    private static List<String> ids(RuleSet rules) {
        return rules.namespace("posts").reactions().stream().map(ReactionDefinition::id).toList();
    }

    @Test
    void areTheLastOnesOfTheirSet() {
        RuleSet rules = LISTS.withSeasonal(List.of(TREE));

        assertThat(ids(rules)).containsExactly("a", "b", "tree");
        assertThat(rules.namespace("posts").reaction("tree")).isEqualTo(TREE.reaction());
        assertThat(rules.reactions()).isEqualTo(LISTS.reactions());
        assertThat(rules.reactionSets()).isEqualTo(LISTS.reactionSets());
    }

    @Test
    void areStoredWithTheLists() {
        RuleSet read = RuleSet.fromJson(LISTS.withSeasonal(List.of(TREE)).toJson());

        assertThat(read.seasonal()).containsExactly(TREE);
        assertThat(ids(read)).containsExactly("a", "b", "tree");
        assertThat(LISTS.toJson()).doesNotContain("seasonal");
    }

    @Test
    void haveNoEffectWhileTheListsDefineThemOrLackTheirSet() {
        RuleSet defined = lists("a, tree").withSeasonal(List.of(TREE));
        var elsewhere = new SeasonalReaction("none", reaction("snow"));

        assertThat(ids(defined)).containsExactly("a", "tree");
        assertThat(defined.namespace("posts").reaction("tree").code()).isEqualTo("listed");
        assertThat(defined.seasonal()).containsExactly(TREE);
        assertThat(ids(LISTS.withSeasonal(List.of(elsewhere)))).containsExactly("a", "b");
    }

    @Test
    void areDifferencesOfTheirOwn() {
        RuleSet with = LISTS.withSeasonal(List.of(TREE));

        assertThat(RuleSet.diff(LISTS, with))
                .containsExactly("seasonal reaction tree of reaction set s added");
        assertThat(RuleSet.diff(with, LISTS))
                .containsExactly("seasonal reaction tree of reaction set s removed");
    }

    @Test
    void aChangedAvailabilityIsADifference() {
        var plain = new ReactionDefinition("tree", null, "unicode", "seasonal", null, null);
        RuleSet older = LISTS.withSeasonal(List.of(new SeasonalReaction("s", plain)));

        assertThat(RuleSet.diff(older, LISTS.withSeasonal(List.of(TREE))))
                .containsExactly(
                        "seasonal reaction tree of reaction set s: available none -> "
                                + "until 2026-12-27T00:00:00Z for age 18–, gender f");
    }
}
