package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Anonymous readers of an entity. A read may show a state that is older by {@link #BOUND}, or one
 * that is not committed yet. It must not show a reaction that no client sent.
 */
final class Audience {

    static final Duration BOUND = Duration.ofMillis(200);

    private final Place place;
    private final Violations violations;
    private final Map<String, Set<String>> senders = new HashMap<>();

    /** Newest state that was acknowledged until a time, by that time. */
    private final TreeMap<Long, String> acknowledged = new TreeMap<>();

    Audience(Place place, Violations violations) {
        this.place = place;
        this.violations = violations;
    }

    /** Registers an operation before it is sent. */
    synchronized void sent(String user, Operation operation) {
        int given = operation.given() & ~place.space().foreign;
        for (String reaction : place.names(given)) {
            senders.computeIfAbsent(reaction, _ -> new HashSet<>()).add(user);
        }
    }

    /** Judges a refusal by {@link Term#FULL}: the users must have sent enough reactions before. */
    synchronized void full(Operation operation) {
        var sent = new HashMap<String, Integer>();
        senders.values().forEach(users -> users.forEach(user -> sent.merge(user, 1, Integer::sum)));
        int most = sent.values().stream().mapToInt(n -> Math.min(n, Term.MOST_OF_A_USER)).sum();
        if (most < Term.MOST_OF_AN_ENTITY) {
            violations.add(
                    "%s is full for %s, but has at most %d"
                            .formatted(place, operation.text(place.space()), most));
        }
    }

    /**
     * Registers an acknowledged change with its version; the time is from {@link System#nanoTime}.
     */
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
     * Judges the content of an answer.
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
        long total = counts.values().stream().mapToLong(Long::longValue).sum();
        if (place.space() == Space.RULED && total > Term.MOST_OF_AN_ENTITY) {
            violation(where, "too many reactions: " + counts);
        }
        String version = entity.at("/version").asString("");
        var least = acknowledged.floorEntry(asked - BOUND.toNanos());
        if (!version.isEmpty()
                && least != null
                && Answers.state(version).compareTo(least.getValue()) < 0) {
            violation(where, version + " is shown, which is before " + least.getValue());
        }
    }

    /** Judges the people of an answer, if it has some: users of the reactions beside them. */
    synchronized void people(JsonNode entity, String where) {
        if (!entity.has("people")) {
            return;
        }
        long total = entity.at("/people/total").asLong(-1);
        var counts = Answers.counts(place, entity).values();
        long least = counts.stream().mapToLong(Long::longValue).max().orElse(0);
        long most = counts.stream().mapToLong(Long::longValue).sum();
        if (total < least || total > most) {
            violation(where, "%d people with %s".formatted(total, entity));
        }
    }

    private void violation(String where, String what) {
        violations.add("%s, reads of %s: %s".formatted(where, place, what));
    }
}
