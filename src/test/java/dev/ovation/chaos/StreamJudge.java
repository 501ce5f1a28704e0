package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;
import dev.ovation.chaos.Snapshot.Holder;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The states of entities that one watcher received, over all its streams. The version of an entity
 * never steps back. At the end the last state of each entity is the stored one.
 */
final class StreamJudge {

    private final String user;
    private final List<Place> places;
    private final Violations violations;
    private final Map<Place, JsonNode> last = new HashMap<>();

    /**
     * Creates a watcher of entities of one namespace.
     *
     * @param user whose own reactions the streams show; null for none
     */
    StreamJudge(String user, List<Place> places, Violations violations) {
        this.user = user;
        this.places = places;
        this.violations = violations;
    }

    String user() {
        return user;
    }

    List<Place> places() {
        return places;
    }

    /** Judges a state, which is the newest of its entity. */
    synchronized void received(JsonNode state, String where) {
        var place = new Place(places.getFirst().space(), state.at("/entity_id").asString(""));
        if (!places.contains(place)) {
            violation(where, "a state of " + place);
            return;
        }
        JsonNode before = last.put(place, state);
        if (before != null && version(state).compareTo(version(before)) < 0) {
            violation(where, state + " after " + before);
        }
        int own = Space.kinds(Answers.own(place, state));
        if ((own & ~Answers.counted(place, state)) != 0) {
            violation(where, "own reactions that are not counted: " + state);
        }
    }

    private static String version(JsonNode state) {
        return Answers.state(state.at("/version").asString());
    }

    /** Entities whose last state is not what is stored, each with both. */
    synchronized List<String> differences(Snapshot stored) {
        var differences = new ArrayList<String>();
        for (Place place : places) {
            JsonNode state = last.get(place);
            var counts = stored.counts().getOrDefault(place, Map.of());
            int own = user == null ? 0 : stored.rows().getOrDefault(new Holder(user, place), 0);
            if (state == null
                    || !Answers.counts(place, state).equals(counts)
                    || Answers.own(place, state) != own
                    || Answers.isLocked(state) != stored.locks().containsKey(place)
                    || !Histories.isLeap(
                            Answers.number(state.at("/version").asString()),
                            stored.versions().getOrDefault(place, 0L))) {
                differences.add(
                        "%s: the last state is %s, stored are %s, of the user %s"
                                .formatted(place, state, counts, place.names(own)));
            }
        }
        return differences;
    }

    private void violation(String where, String what) {
        violations.add("%s, a stream of %s: %s".formatted(where, user, what));
    }
}
