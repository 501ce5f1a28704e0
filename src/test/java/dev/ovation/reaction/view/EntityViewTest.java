package dev.ovation.reaction.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.List;

class EntityViewTest {

    private final EntityView view = view("1.7", count("👍", 2));

    @Test
    void theVersionOfANewerStateIsGreater() {
        assertThat(view("1.8", count("👎", 1)).version()).isGreaterThan(view.version());
        assertThat(view("2.1", count("❤️", 1)).version()).isGreaterThan(view.version());
    }

    /** For every history of the state, and for every instance. */
    @Test
    void viewsWithTheSameContentHaveTheSameVersion() {
        assertThat(view("1.7", count("👍", 2)).version()).isEqualTo(view.version());
        assertThat(view.aged(5).version()).isEqualTo(view.version());
        assertThat(view.seenBy("ann", List.of("👍")).version())
                .isEqualTo(view("1.7", count("👍", 2)).seenBy("ann", List.of("👍")).version());
    }

    @Test
    void viewsWithDifferentContentHaveDifferentVersions() {
        var changed =
                List.of(
                        view("1.7", count("👍", 3)),
                        view("1.7", count("👍🏽", 2)),
                        view("1.7", count("👍", 2), count("👎", 1)),
                        view("1.7", new ReactionCount("👍", 2, 5_000, 9_000, true, null)),
                        view(
                                "1.7",
                                new ReactionCount("👍", 2, 5_000, 9_000, false, BigDecimal.TWO)),
                        view("1.7", new ReactionCount("👍", 2, 5_000, 8_000, false, null)),
                        view.seenBy("ann", List.of()),
                        view.seenBy("ben", List.of()),
                        view.seenBy("ann", List.of("👍")),
                        view);

        assertThat(changed).extracting(EntityView::version).doesNotHaveDuplicates();
    }

    @Test
    void isOlderThanANewerStateAndThanAnotherOfItsNumber() {
        assertThat(view.isOlderThan(view("1.8", count("👍", 2)).version())).isTrue();
        assertThat(view.isOlderThan(view("1.7", count("👍", 3)).version())).isTrue();
        assertThat(view.isOlderThan(view("1.7", count("👍", 1)).version())).isTrue();
        assertThat(view.isOlderThan(view.version())).isFalse();
        assertThat(view.isOlderThan(view("1.6", count("👍", 3)).version())).isFalse();
    }

    /** A cached view is rendered once, although each reader gets a copy with its age. */
    @Test
    void copiesShareTheRenderedJsonAndVersion() {
        assertThat(view.aged(5).json(false)).isSameAs(view.json(false));
        assertThat(view.aged(5).version()).isSameAs(view.version());
    }

    private static EntityView view(String state, ReactionCount... counts) {
        return new EntityView("e", state, List.of(counts), null, List.of(), 0);
    }

    private static ReactionCount count(String reaction, long count) {
        return new ReactionCount(reaction, count, 5_000, 9_000, false, null);
    }
}
