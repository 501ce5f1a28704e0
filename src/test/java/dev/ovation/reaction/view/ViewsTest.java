package dev.ovation.reaction.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.rules.reader.RulesFixture;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

class ViewsTest {

    private static final String HEART = "\u2764";
    private static final String PLANE = "\u2708";

    private static final String RULES =
            """
            reactions:
            - {id: a, type: unicode, code: a}
            - {id: b, type: unicode, code: b, value: 1.5}
            - {id: "\\u2764\\uFE0F", type: unicode, code: h}
            reaction_sets:
            - {id: s, reaction_ids: [b, a]}
            namespaces:
            - {id: posts, reaction_set_id: s, max_uniq_reactions: 2}
            """;

    private final Views views = views("posts");

    @Test
    void countsAreOrderedByCountThenByTheFirstReactionThenByTheSet() {
        assertThat(
                        reactions(
                                new Counter("a", 1, 20, 30),
                                new Counter("b", 1, 20, 40),
                                new Counter("x", 1, 10, 50),
                                new Counter("y", 2, 60, 60)))
                .containsExactly("y", "x", "b", "a");
    }

    @Test
    void reactionsOutsideTheSetComeAfterThoseInIt() {
        assertThat(reactions(new Counter("0", 1, 20, 20), new Counter("a", 1, 20, 20)))
                .containsExactly("a", "0");
    }

    @Test
    void theOrderOfTheStoredCountersDoesNotMatter() {
        var x = new Counter("x", 1, 20, 20);
        var y = new Counter("y", 1, 20, 20);

        assertThat(reactions(x, y)).isEqualTo(reactions(y, x));
    }

    @Test
    void aReactionIsSpelledAsConfiguredNowElseAsLastElseAsItsKey() {
        assertThat(views.spelled(List.of("a", HEART, PLANE, "unheard")))
                .containsExactly("a", HEART + "\uFE0F", PLANE + "\uFE0F", "unheard");
    }

    @Test
    void countsAndOwnReactionsAreSpelled() {
        EntityView view = views.view(1, 2, List.of(new Counter(HEART, 1, 2, 3)), "ann", own(HEART));

        assertThat(view.counts())
                .extracting(ReactionCount::reaction)
                .containsExactly(HEART + "\uFE0F");
        assertThat(view.userReactions()).containsExactly(HEART + "\uFE0F");
    }

    @Test
    void aReactionIsCompletedByTheRules() {
        assertThat(count(views, new Counter("b", 3, 4, 5)))
                .isEqualTo(new ReactionCount("b", 3, 4, 5, false, new BigDecimal("1.5")));
        assertThat(count(views, new Counter("unheard", 3, 4, 5)))
                .isEqualTo(new ReactionCount("unheard", 3, 4, 5, true, null));
    }

    @Test
    void withoutTheNamespaceAllReactionsAreRetired() {
        assertThat(count(views("none"), new Counter("b", 3, 4, 5)))
                .isEqualTo(new ReactionCount("b", 3, 4, 5, true, null));
    }

    @Test
    void theNewerStateHasTheGreaterTextHoweverManyDigitsItsNumbersHave() {
        assertThat(List.of(state(9, 9), state(9, 10), state(9, 999_999_999_999L), state(10, 1)))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    private static Views views(String namespace) {
        var rules =
                new RulesInForce(
                        1,
                        "test",
                        "",
                        Instant.EPOCH,
                        RulesFixture.yaml(RULES),
                        Map.of(PLANE, PLANE + "\uFE0F"));
        return new Views(rules, new EntityKey(namespace, "1"));
    }

    private List<String> reactions(Counter... counters) {
        return views.view(1, 2, Arrays.asList(counters), null, own()).counts().stream()
                .map(ReactionCount::reaction)
                .toList();
    }

    private static ReactionCount count(Views views, Counter counter) {
        return views.view(1, 2, List.of(counter), null, own()).counts().getFirst();
    }

    private String state(long epoch, long version) {
        return views.view(epoch, version, List.of(), null, own()).state();
    }

    private static List<String> own(String... keys) {
        return List.of(keys);
    }
}
