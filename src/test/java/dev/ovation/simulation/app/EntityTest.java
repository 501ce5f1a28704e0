package dev.ovation.simulation.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

class EntityTest {

    private final Entity entity = entity(false);

    @Test
    void onlyReactionsTheUserDoesNotHaveAreOffered() {
        see(Map.of("a", 1L), Set.of("a"));

        assertThat(entity.offers()).containsExactly("b", "c", "d");
    }

    @Test
    void atTheLimitOnlyShownReactionsAreOffered() {
        see(Map.of("a", 1L, "c", 3L), Set.of("a"));

        assertThat(entity.offers()).containsExactly("c");
    }

    @Test
    void aRetiredReactionIsNotOffered() {
        see(Map.of("retired", 1L, "c", 3L), Set.of());

        assertThat(entity.offers()).containsExactly("c");
    }

    @Test
    void anAcknowledgedReactionTakesThePlaceOfThoseItExcludes() {
        see(Map.of("a", 1L), Set.of("a"));

        entity.added("b");

        assertThat(entity.own()).containsExactly("b");
        assertThat(entity.offers()).containsExactly("a", "c", "d");
    }

    @Test
    void aRefreshIsDroppedWhereTheUserReactedMeanwhile() {
        see(Map.of(), Set.of());
        int asked = entity.changes();
        entity.clicked();

        assertThat(entity.seen(asked, Map.of("c", 1L), Set.of("c"))).isEmpty();
        assertThat(entity.own()).isEmpty();
    }

    @Test
    void aMissingAcknowledgedReactionContradictsOnce() {
        see(Map.of(), Set.of());
        entity.clicked();
        entity.added("a");

        assertThat(entity.seen(entity.changes(), Map.of(), Set.of()))
                .contains("acknowledged on e: [a], answered: []");
        assertThat(entity.seen(entity.changes(), Map.of(), Set.of())).isEmpty();
    }

    @Test
    void anAnswerWithARemovedReactionContradicts() {
        see(Map.of("a", 1L), Set.of("a"));
        entity.removed("a");

        assertThat(entity.seen(entity.changes(), Map.of("a", 1L), Set.of("a"))).isPresent();
    }

    @Test
    void nothingContradictsAfterAnUnknownOutcome() {
        see(Map.of(), Set.of());
        entity.doubt();

        assertThat(entity.seen(entity.changes(), Map.of("a", 1L), Set.of("a"))).isEmpty();
    }

    @Test
    void aNegativeCountIsWrongEvenInADroppedAnswer() {
        int asked = entity.changes();
        entity.clicked();

        assertThat(entity.seen(asked, Map.of("a", -1L), Set.of()))
                .contains("negative count of a on e");
    }

    @Test
    void ownReactionsThatAreNotCountedContradictUnlessCountsLag() {
        assertThat(entity.seen(entity.changes(), Map.of("a", 0L), Set.of("a")))
                .contains("own reactions on e: [a], counted: {a=0}");
        assertThat(entity(true).seen(0, Map.of(), Set.of("a"))).isEmpty();
    }

    @Test
    void reactionsThatExcludeEachOtherAreWrongEvenInADroppedAnswer() {
        see(Map.of("a", 1L), Set.of("a"));
        int asked = entity.changes();
        entity.clicked();

        assertThat(entity.seen(asked, Map.of("a", 1L, "b", 1L), Set.of("a", "b")))
                .hasValueSatisfying(
                        text ->
                                assertThat(text)
                                        .startsWith("reactions that exclude each other on e"));
    }

    @Test
    void reactionsThatWereTogetherAtTheFirstLookMayBeOlderThanTheRule() {
        see(Map.of("a", 1L, "b", 1L), Set.of("a", "b"));
        see(Map.of("a", 1L, "b", 1L), Set.of("a", "b"));
    }

    private static Entity entity(boolean countsLag) {
        var group = List.of(List.of("a", "b"));
        return new Entity(
                new Namespace(
                        "n", List.of("a", "b", "c", "d"), Set.of(), 2, group, false, countsLag),
                "e");
    }

    private void see(Map<String, Long> counts, Set<String> own) {
        assertThat(entity.seen(entity.changes(), counts, own)).isEmpty();
    }
}
