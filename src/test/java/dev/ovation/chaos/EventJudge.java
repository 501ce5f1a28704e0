package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Judges the events that a consumer read, from the first change on. Each version of an entity comes
 * once, in order and without a gap. At the end the changes make up what is stored.
 */
final class EventJudge {

    private final Violations violations;
    private final Map<String, String> known = new HashMap<>();
    private final Map<Place, Long> versions = new HashMap<>();
    private final Map<Place, Map<String, Long>> counts = new HashMap<>();

    EventJudge(Violations violations) {
        this.violations = violations;
    }

    /** Judges the events of a page that continues after all earlier ones. */
    synchronized void read(JsonNode events, String where) {
        events.forEach(event -> next(event, where));
    }

    private void next(JsonNode event, String where) {
        if (known.containsKey(event.at("/id").asString())) {
            violation(where, "was read before: " + event);
        } else {
            first(event, where);
        }
    }

    private void first(JsonNode event, String where) {
        known.put(event.at("/id").asString(), version(event));
        if (event.has("entity_id")) {
            changed(event, where);
        }
    }

    /** Judges an event of a message: it may have come before, but then it is the same. */
    synchronized void received(JsonNode event, String where) {
        String earlier = known.get(event.at("/id").asString());
        if (earlier == null) {
            first(event, where);
        } else {
            judgeAgain(event, earlier, where);
        }
    }

    private void judgeAgain(JsonNode event, String earlier, String where) {
        if (!earlier.equals(version(event))) {
            violation(where, "was " + earlier + " before: " + event);
        }
    }

    /**
     * Judges a page that was read again from its cursor.
     *
     * @param before the events that it had
     * @param events its events now; new ones may be between the old ones
     * @param whole whether the page is not full: then it has all old ones
     */
    synchronized void readAgain(JsonNode before, JsonNode events, boolean whole, String where) {
        var ids = new HashSet<String>();
        for (JsonNode event : events) {
            String id = event.at("/id").asString();
            ids.add(id);
            String earlier = known.get(id);
            if (earlier != null) {
                judgeAgain(event, earlier, where);
            }
        }
        for (JsonNode event : before) {
            if (whole && !ids.contains(event.at("/id").asString())) {
                violation(where, "is missing from the same page: " + event);
            }
        }
    }

    private void changed(JsonNode event, String where) {
        var place = place(event);
        long version = Answers.number(version(event));
        long before = versions.getOrDefault(place, 0L);
        // Imports and erasures leap. An erasure leaps on entities without a change, too.
        boolean follows =
                Histories.isLeap(before + 1, version)
                        || before < version && Histories.isLeap(before, version);
        if (!follows) {
            violation(where, "after version " + before + ": " + event);
        }
        versions.put(place, version);
        var now = counts.computeIfAbsent(place, _ -> new TreeMap<>());
        now.putAll(Answers.counts(place, event));
        now.values().removeIf(count -> count == 0);
        long total = now.values().stream().mapToLong(Long::longValue).sum();
        if (total != event.at("/total").asLong(-1)) {
            violation(where, "the counts are " + now + " after " + event);
        }
    }

    /** Entities whose last event is not what is stored, each with both. */
    synchronized List<String> differences(Snapshot stored) {
        var differences = new ArrayList<String>();
        stored.versions()
                .forEach(
                        (place, version) -> {
                            long last = versions.getOrDefault(place, 0L);
                            var now = counts.getOrDefault(place, Map.of());
                            var right = stored.counts().getOrDefault(place, Map.of());
                            if (!Histories.isLeap(last, version) || !now.equals(right)) {
                                differences.add(
                                        "%s: the events end with version %d and %s, stored are %d and %s"
                                                .formatted(place, last, now, version, right));
                            }
                        });
        return differences;
    }

    private static Place place(JsonNode event) {
        return new Place(
                Space.of(event.at("/namespace_id").asString()), event.at("/entity_id").asString());
    }

    private static String version(JsonNode event) {
        return event.at("/version").asString("");
    }

    private void violation(String where, String what) {
        violations.add("%s, events: %s".formatted(where, what));
    }
}
