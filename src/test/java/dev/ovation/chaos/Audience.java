package dev.ovation.chaos;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Everybody who looks at an entity without saying who they are. They may be shown what is older by
 * {@link #BOUND}, or not committed yet, but nothing that nobody sent.
 */
final class Audience {

    static final Duration BOUND = Duration.ofMillis(200);

    private final Place place;
    private final Violations violations;
    private final Map<String, Set<String>> senders = new HashMap<>();

    /** By time, the newest state that was acknowledged until then. */
    private final TreeMap<Long, String> acknowledged = new TreeMap<>();

    Audience(Place place, Violations violations) {
        this.place = place;
        this.violations = violations;
    }

    /** An operation is about to be sent. */
    synchronized void sent(String user, Operation operation) {
        for (String reaction : Place.names(operation.given())) {
            senders.computeIfAbsent(reaction, _ -> new HashSet<>()).add(user);
        }
    }

    /** An applied change was acknowledged at this version, by {@link System#nanoTime}. */
    synchronized void acknowledged(String version, long at) {
        String state = Answers.state(version);
        var before = acknowledged.floorEntry(at);
        acknowledged.put(
                at,
                before == null || before.getValue().compareTo(state) < 0
                        ? state
                        : before.getValue());
        acknowledged
                .tailMap(at)
                .replaceAll((_, later) -> later.compareTo(state) < 0 ? state : later);
    }

    /**
     * What an answer shows.
     *
     * @param asked when the request was sent, by {@link System#nanoTime}
     */
    synchronized void shown(JsonNode entity, long asked, String where) {
        var counts = new HashMap<String, Long>();
        for (JsonNode each : entity.at("/reactions_count")) {
            String reaction = each.at("/reaction_id").asString();
            long count = each.at("/count").asLong();
            long most = senders.getOrDefault(reaction, Set.of()).size();
            if (count < 1 || count > most || counts.put(reaction, count) != null) {
                violation(where, "%d times %s, but sent by %d".formatted(count, reaction, most));
            }
        }
        if (counts.size() > place.space().limit) {
            violation(where, "too many kinds: " + counts);
        }
        String version = entity.at("/version").asString("");
        var least = acknowledged.floorEntry(asked - BOUND.toNanos());
        if (!version.isEmpty()
                && least != null
                && Answers.state(version).compareTo(least.getValue()) < 0) {
            violation(where, version + " is shown, which is before " + least.getValue());
        }
    }

    private void violation(String where, String what) {
        violations.add("%s, everybody at %s: %s".formatted(where, place, what));
    }
}
