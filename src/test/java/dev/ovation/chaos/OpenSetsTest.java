package dev.ovation.chaos;

import static dev.ovation.chaos.Operation.Outcome.EXISTS;
import static dev.ovation.chaos.Operation.Outcome.FOREIGN;
import static dev.ovation.chaos.Operation.Outcome.OK;
import static dev.ovation.chaos.Operation.Outcome.TOO_MANY;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Place.Space;
import dev.ovation.chaos.Snapshot.Holder;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Map;

/** Histories in open sets: the checker reports wrong skin tones, and what must be refused. */
class OpenSetsTest extends HandMade {

    OpenSetsTest() {
        super(new Place(Space.TONES, "film"));
    }

    @Test
    void aUserSeesTheOwnTone() {
        record(Kind.ADD, "👍🏽", OK);
        read("👍🏽");
        end(List.of("👍🏽"), List.of());
        assertNothing();
        read("👍");
        assertReported("shown what is none of [[👍🏽]]");
    }

    @Test
    void theToneIsStored() {
        record(Kind.ADD, "👩🏽‍🤝‍👨🏻", OK);
        end(List.of("👩🏻‍🤝‍👨🏿"), List.of());
        assertReported("stored is what is none of [[👩🏽‍🤝‍👨🏻]]");
    }

    @Test
    void anotherToneIsTheSameReaction() {
        record(Kind.ADD, "👍🏽", OK);
        record(Kind.ADD, "👍🏿", EXISTS);
        record(Kind.ENSURE, "👍", OK);
        read("👍🏽");
        assertNothing();
        record(Kind.ADD, "👍🏿", OK);
        assertContradiction();
    }

    @Test
    void aPutKeepsTheToneThatIsThere() {
        record(Kind.ADD, "👍🏽", OK);
        record(Kind.ADD, "❤️", OK);
        int own = place.space().bits("👍🏽", "👫🏽");
        ann.answered(write(Kind.PUT, "👍🏽", "👫🏽"), OK, own, "here");
        assertNothing();
        int changed = place.space().bits("👍🏿", "👩🏻‍🤝‍👨🏿");
        ann.answered(write(Kind.PUT, "👍🏿", "👩🏻‍🤝‍👨🏿"), OK, changed, "here");
        assertContradiction();
    }

    @Test
    void aReactionThatIsGivenAgainHasItsNewTone() {
        record(Kind.ADD, "👍🏽", OK);
        record(Kind.REMOVE, "👍🏿", OK);
        record(Kind.ADD, "👍🏻", OK);
        read("👍🏻");
        assertNothing();
        read("👍🏽");
        assertReported("shown what is none of [[👍🏻]]");
    }

    @Test
    void allTonesCountAsOne() {
        assertThat(place.space().counted(place.bits(List.of("👍🏽", "👫🏽", "❤️"))))
                .containsExactly("👍", "👫", "❤️");
        var everybody = histories.audience(place);
        everybody.sent("ann", write(Kind.ADD, "👍🏽"));
        everybody.sent("ben", write(Kind.ADD, "👍"));
        show(everybody, "👍", 2);
        assertNothing();
        show(everybody, "👍🏽", 1);
        assertReported("1 times 👍🏽, but sent by 0");
    }

    private static void show(Audience everybody, String reaction, int count) {
        var entity = JsonMapper.shared().createObjectNode();
        entity.putArray("reactions_count")
                .addObject()
                .put("reaction_id", reaction)
                .put("count", count);
        everybody.shown(entity, 0, "here");
    }

    @Test
    void anAnswerHasTheFullSpelling() {
        assertThat(place.bits(List.of("❤️"))).isEqualTo(0b100);
        assertThatThrownBy(() -> place.bits(List.of("❤"))).hasMessage("unknown reaction ❤");
        assertThatThrownBy(() -> place.space().countedBits(List.of("👍🏽")))
                .hasMessage("unknown reaction 👍🏽");
        assertThat(Answers.counts(place, JsonMapper.shared().readTree(COUNTS)))
                .isEqualTo(Map.of("❤", 1L, "❤ (another spelling)", 2L));
    }

    private static final String COUNTS =
            """
            {"reactions_count":[{"reaction_id":"❤️","count":1},{"reaction_id":"❤","count":2}]}""";

    @Test
    void aRowHasTheKeyAndTheForm() {
        assertThat(place.space().stored("❤", null)).isEqualTo(place.space().bits("❤️"));
        assertThat(place.space().stored("👍", "👍🏽")).isEqualTo(place.space().bits("👍🏽"));
        assertThatThrownBy(() -> place.space().stored("👍", "👫🏽"))
                .hasMessage("unknown form 👫🏽");
    }

    @Test
    void whatIsNoEmojiMustBeRefused() {
        record(Kind.ADD, "hello", FOREIGN);
        answer(write(Kind.PUT, "🦕", "hello"), FOREIGN);
        record(Kind.REMOVE, "hello", OK);
        assertNothing();
        record(Kind.ENSURE, "hello", OK);
        assertContradiction();
    }

    @Test
    void anEmojiIsNotForeign() {
        record(Kind.ADD, "🦕", FOREIGN);
        assertContradiction();
    }

    @Test
    void whatMustBeRefusedIsNeitherShownNorStored() {
        var everybody = histories.audience(place);
        everybody.sent("ann", write(Kind.ADD, "hello"));
        show(everybody, "hello", 1);
        assertReported("1 times hello, but sent by 0");
        var stored = stored(List.of("hello"), List.of(), Map.of(), Map.of());
        assertThat(stored.faults())
                .containsExactly("Holder[user=ann, place=tones/film] has what is refused");
    }

    @Test
    void aUserOfTextsHasThreeReactions() {
        var texts = new Place(Space.TEXTS, "film");
        var ben = histories.of("ben", texts);
        ben.answered(text(Kind.ADD, "a"), OK, -1, "here");
        ben.answered(text(Kind.ADD, "\u00e9"), OK, -1, "here");
        ben.answered(text(Kind.ADD, "👍🏽"), OK, -1, "here");
        ben.answered(text(Kind.ENSURE, "a"), OK, -1, "here");
        ben.answered(text(Kind.ADD, "👍"), TOO_MANY, -1, "here");
        assertNothing();
        ben.answered(text(Kind.FORCE, "👍"), OK, -1, "here");
        assertContradiction();
    }

    @Test
    void aThirdReactionIsNotTooMany() {
        var ben = histories.of("ben", new Place(Space.TEXTS, "film"));
        ben.answered(text(Kind.ADD, "a"), OK, -1, "here");
        ben.answered(text(Kind.ADD, "\u00e9"), OK, -1, "here");
        ben.answered(text(Kind.ADD, "👍🏽"), TOO_MANY, -1, "here");
        assertContradiction();
    }

    @Test
    void storedReactionsOfAUserAreNotTooMany() {
        var texts = new Place(Space.TEXTS, "film");
        var rows = Map.of(new Holder("ben", texts), 0b1111);
        var counts = Map.of(texts, Map.of("a", 1L, "\u00e9", 1L, "well done", 1L, "👍", 1L));
        assertThat(new Snapshot(rows, counts, Map.of(texts, 1L), Map.of(), Map.of()).faults())
                .singleElement()
                .asString()
                .contains("has too many");
    }

    private Operation text(Kind kind, String reaction) {
        int bits = Space.TEXTS.bits(reaction);
        return new Operation(kind, Integer.numberOfTrailingZeros(bits), null, Person.UNKNOWN);
    }
}
