package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.chaos.Place.Space;
import dev.ovation.chaos.Snapshot.Holder;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Map;

/** States made by hand: the judge of streams reports each violation, and nothing else. */
class StreamJudgeTest {

    private static final Place FILM = new Place(Space.FREE, "film");
    private static final Place BOOK = new Place(Space.FREE, "book");

    private final Violations violations = new Violations();
    private final StreamJudge judge = new StreamJudge("ann", List.of(FILM, BOOK), violations);

    @Test
    void versionsOfAnEntityMayGrowOrStay() {
        receive("film", "1.0007.x", "a", 1, "");
        receive("book", "1.0002.x", "a", 1, "");
        receive("film", "1.0007.y", "a", 1, ""); // after a reconnection
        receive("film", "2.0001.x", "a", 2, "a");
        assertThat(violations.found()).isEmpty();
    }

    @Test
    void anOlderVersionAfterANewerOneIsReported() {
        receive("film", "2.0007.x", "a", 1, "");
        receive("film", "2.0006.y", "a", 1, "");
        assertThat(violations.found()).singleElement().asString().contains("2.0006.y", "after");
    }

    @Test
    void ownReactionsMustBeCounted() {
        receive("film", "2.0007.x", "a", 1, "b");
        assertThat(violations.found()).singleElement().asString().contains("not counted");
    }

    @Test
    void anEntityThatIsNotWatchedIsReported() {
        receive("song", "1.0001.x", "a", 1, "");
        assertThat(violations.found()).singleElement().asString().contains("a state of free/song");
    }

    @Test
    void theLastStatesAreThoseStored() {
        receive("film", "1.0007.x", "a", 2, "");
        receive("film", "1.0008.x", "a", 1, "a");
        receive("book", "1.0000.x", "a", 0, "");
        assertThat(differences()).isEmpty();
    }

    @Test
    void aStateThatNeverCameIsMissing() {
        receive("film", "1.0008.x", "a", 1, "a");
        assertThat(differences()).singleElement().asString().startsWith("free/book: the last");
    }

    @Test
    void aLastStateWithOtherCountsOwnReactionsOrVersionIsMissed() {
        receive("book", "1.0000.x", "a", 0, "");
        receive("film", "1.0008.x", "a", 2, "a");
        assertThat(differences()).hasSize(1);
        receive("film", "1.0008.x", "a", 1, "");
        assertThat(differences()).hasSize(1);
        receive("film", "1.0007.x", "a", 1, "a");
        assertThat(differences()).hasSize(1);
    }

    private List<String> differences() {
        return judge.differences(
                new Snapshot(
                        Map.of(new Holder("ann", FILM), 1),
                        Map.of(FILM, Map.of("a", 1L)),
                        Map.of(FILM, 1L),
                        Map.of(FILM, 8L),
                        Map.of()));
    }

    private void receive(String entity, String version, String reaction, int count, String own) {
        judge.received(state(entity, version, reaction, count, own), "here");
    }

    private static JsonNode state(
            String entity, String version, String reaction, int count, String own) {
        var state = JsonMapper.shared().createObjectNode();
        state.put("entity_id", entity).put("version", version);
        var counts = state.putArray("reactions_count");
        if (count > 0) {
            counts.addObject().put("reaction_id", reaction).put("count", count);
        }
        var reactions = state.putObject("user_reactions").putArray("reactions");
        if (!own.isEmpty()) {
            reactions.add(own);
        }
        return state;
    }
}
