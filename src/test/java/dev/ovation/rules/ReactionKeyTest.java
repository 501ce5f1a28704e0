package dev.ovation.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReactionKeyTest {

    @Test
    void aHeartWithAndWithoutVariationSelectorIsOneReaction() {
        assertThat(ReactionKey.of("\u2764\uFE0F")).isEqualTo("\u2764");
        assertThat(ReactionKey.of("\u2764")).isEqualTo("\u2764");
    }

    @Test
    void everyVariationSelectorOfASequenceIsRemovedAndItsJoinersAreKept() {
        // Eye in speech bubble: both parts may carry the selector.
        assertThat(ReactionKey.of("\uD83D\uDC41\uFE0F\u200D\uD83D\uDDE8\uFE0F"))
                .isEqualTo("\uD83D\uDC41\u200D\uD83D\uDDE8");
    }

    @Test
    void aSkinToneMakesAnotherReaction() {
        assertThat(ReactionKey.of("\uD83D\uDC4D\uD83C\uDFFD"))
                .isEqualTo("\uD83D\uDC4D\uD83C\uDFFD")
                .isNotEqualTo(ReactionKey.of("\uD83D\uDC4D"));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "\uD83D\uDC69\u200D\uD83D\uDCBB", // woman technologist: joined
                "\uD83C\uDDFA\uD83C\uDDF3", // flag: two regional indicators
                "\uD83C\uDFF4\uDB40\uDC67\uDB40\uDC62\uDB40\uDC73\uDB40\uDC63\uDB40\uDC74"
                        + "\uDB40\uDC7F", // flag of Scotland: tags
                "\u2764\uFE0E", // the selector for text presentation is another one
                "like"
            })
    void otherIdsAreTheirOwnKeys(String id) {
        assertThat(ReactionKey.of(id)).isEqualTo(id);
    }

    @Test
    void composedAndDecomposedLettersAreOneReaction() {
        assertThat(ReactionKey.of("cafe\u0301")).isEqualTo("caf\u00E9");
        assertThat(ReactionKey.of("caf\u00E9")).isEqualTo("caf\u00E9");
    }

    @Test
    void aKeyIsItsOwnKeyEvenIfASelectorStoodBetweenLetterAndAccent() {
        assertThat(ReactionKey.of("e\uFE0F\u0301")).isEqualTo("\u00E9");
    }

    @Test
    void noKeyIsEmpty() {
        assertThat(ReactionKey.of("\uFE0F")).isEqualTo("\uFE0F");
        assertThat(ReactionKey.of("\uFE0F\uFE0F")).isEqualTo("\uFE0F");
    }

    @Test
    void caseAndCompatibilityFormsStayApart() {
        assertThat(ReactionKey.of("Like")).isEqualTo("Like");
        assertThat(ReactionKey.of("\uFB01")).isEqualTo("\uFB01");
    }
}
