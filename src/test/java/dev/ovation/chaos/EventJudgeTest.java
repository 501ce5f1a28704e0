package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.chaos.Place.Space;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Map;

/** Events made by hand: the judge of events reports each violation, and nothing else. */
class EventJudgeTest {

    private static final Place FILM = new Place(Space.FREE, "film");

    private final Violations violations = new Violations();
    private final EventJudge judge = new EventJudge(violations);

    @Test
    void eachVersionComesOnceAndInOrder() {
        read(event("1-1", 1, 1));
        read(event("1-2", 2, 2));
        read(event("1-3", 2 + Histories.LEAP, 5)); // an import
        read(event("1-4", 3 + 3 * Histories.LEAP, 4)); // after erasures without a change here
        read("{\"id\":\"2-1\",\"kind\":\"erased\",\"user_id\":\"ann\"}");
        assertThat(violations.found()).isEmpty();
        assertThat(differences(3 + 4 * Histories.LEAP, 4)).isEmpty();
    }

    @Test
    void aMissingVersionIsReported() {
        read(event("1-1", 1, 1));
        read(event("1-3", 3, 1));
        assertReported("after version 1");
    }

    @Test
    void anOlderVersionIsReported() {
        read(event("1-1", 1, 1));
        read(event("1-2", 2, 2));
        read(event("1-3", 1, 1));
        assertReported("after version 2");
    }

    @Test
    void aSecondEventOfAVersionIsReported() {
        read(event("1-1", 1, 1));
        read(event("1-2", 1, 1));
        assertReported("after version 1");
    }

    @Test
    void anEventComesAgainOnlyFromAnEarlierCursor() {
        read(event("1-1", 1, 1));
        judge.readAgain(
                page(event("1-1", 1, 1)),
                page(event("1-1", 1, 1), event("1-2", 2, 2)),
                true,
                "here");
        read(event("1-2", 2, 2));
        assertThat(violations.found()).isEmpty();
        read(event("1-1", 1, 1));
        assertReported("was read before");
    }

    @Test
    void anEventIsTheSameEachTime() {
        read(event("1-1", 1, 1));
        judge.readAgain(page(event("1-1", 1, 1)), page(event("1-1", 2, 1)), true, "here");
        assertReported("was 0000000001.000000000001 before");
    }

    @Test
    void aPageThatIsReadAgainHasItsEvents() {
        read(event("1-1", 1, 1));
        judge.readAgain(page(event("1-1", 1, 1)), page(), true, "here");
        assertReported("is missing from the same page");
    }

    @Test
    void aFullPageMayEndBeforeItsFormerEvents() {
        read(event("1-1", 1, 1));
        judge.readAgain(page(event("1-1", 1, 1)), page(event("2-1", 1, 1)), false, "here");
        assertThat(violations.found()).isEmpty();
    }

    @Test
    void theCountsMakeUpTheTotal() {
        read(event("1-1", 1, 1));
        read(event("1-2", 2, 2).replace("\"total\":2", "\"total\":3"));
        assertReported("the counts are {a=2}");
    }

    @Test
    void theLastEventIsOfTheStoredVersion() {
        read(event("1-1", 1, 1));
        assertThat(differences(2, 1)).singleElement().asString().startsWith("free/film");
        assertThat(differences(1, 2)).singleElement().asString().startsWith("free/film");
        assertThat(differences(1, 1)).isEmpty();
    }

    @Test
    void anEntityWithoutEventsIsMissed() {
        assertThat(differences(1, 1)).singleElement().asString().startsWith("free/film");
    }

    private List<String> differences(long version, long count) {
        return judge.differences(stored(version, count));
    }

    /** The stored state in which reaction a of the entity has this count. */
    static Snapshot stored(long version, long count) {
        return new Snapshot(
                Map.of(),
                Map.of(FILM, Map.of("a", count)),
                Map.of(),
                Map.of(FILM, version),
                Map.of());
    }

    /** An event after which reaction a has this count. */
    private static String event(String id, long version, int count) {
        return """
                {"id":"%s","kind":"changed","namespace_id":"free","entity_id":"film",
                "reactions_count":[{"reaction_id":"a","count":%d},{"reaction_id":"b","count":0}],
                "total":%d,"version":"0000000001.%012d"}"""
                .formatted(id, count, count, version);
    }

    private void read(String event) {
        judge.read(page(event), "here");
    }

    private static JsonNode page(String... events) {
        return JsonMapper.shared().readTree("[" + String.join(",", events) + "]");
    }

    private void assertReported(String part) {
        assertThat(violations.found()).singleElement().asString().contains(part);
    }
}
