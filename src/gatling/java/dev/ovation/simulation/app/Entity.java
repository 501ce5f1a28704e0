package dev.ovation.simulation.app;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An entity as one user's app knows it. The user's own reactions are those of the first answer and
 * what was acknowledged since; an answer that says anything else contradicts, as does one that
 * contradicts itself or the rules.
 */
final class Entity {

    private final Namespace namespace;
    private final String id;
    private Map<String, Long> counts = new HashMap<>();
    private Set<String> own = new LinkedHashSet<>();
    private boolean read;
    private boolean doubtful;
    private int changes;

    Entity(Namespace namespace, String id) {
        this.namespace = namespace;
        this.id = id;
    }

    Namespace namespace() {
        return namespace;
    }

    String id() {
        return id;
    }

    /** The user's own reactions. */
    List<String> own() {
        return List.copyOf(own);
    }

    /** Reactions that the user may add without breaking a limit, as far as the app sees. */
    List<String> offers() {
        var offers = new ArrayList<>(namespace.reactions());
        if (counts.size() >= namespace.limit()) {
            offers.retainAll(counts.keySet());
        }
        offers.removeAll(own);
        return offers;
    }

    /** Grows with every click of the user and every acknowledgement. */
    int changes() {
        return changes;
    }

    /** The user clicked: what is read from now on until the answer may show either state. */
    void clicked() {
        changes++;
    }

    /** Acknowledged: the reaction is there, and those that it excludes are not. */
    void added(String reaction) {
        changes++;
        namespace.excludedBy(reaction).forEach(this::take);
        if (own.add(reaction)) {
            counts.merge(reaction, 1L, Long::sum);
        }
    }

    /** Acknowledged: the reaction is not there. */
    void removed(String reaction) {
        changes++;
        take(reaction);
    }

    private void take(String reaction) {
        if (own.remove(reaction)) {
            counts.computeIfPresent(reaction, (_, count) -> count > 1 ? count - 1 : null);
        }
    }

    /** Nobody knows whether a change was or will be made: nothing is contradicted from now on. */
    void doubt() {
        doubtful = true;
    }

    /**
     * Takes an answer.
     *
     * @param asked {@link #changes} when it was asked for; if the user reacted meanwhile, the
     *     answer is dropped
     * @return what it contradicts, if it does; told once, from then on the answer is believed
     */
    Optional<String> seen(int asked, Map<String, Long> counts, Set<String> own) {
        for (var count : counts.entrySet()) {
            if (count.getValue() < 0) {
                return Optional.of("negative count of " + count.getKey() + " on " + id);
            }
        }
        if (read && own.stream().anyMatch(each -> isNewlyTogether(each, own))) {
            return Optional.of("reactions that exclude each other on " + id + ": " + own);
        }
        if (asked != changes) {
            return Optional.empty();
        }
        Optional<String> contradiction = doubtful ? Optional.empty() : contradiction(counts, own);
        this.counts = new HashMap<>(counts);
        this.own = new LinkedHashSet<>(own);
        read = true;
        return contradiction;
    }

    /** What was together at the first look may be older than the rule. */
    private boolean isNewlyTogether(String reaction, Set<String> own) {
        return namespace.excludedBy(reaction).stream()
                .anyMatch(
                        other ->
                                own.contains(other)
                                        && !this.own.containsAll(List.of(reaction, other)));
    }

    private Optional<String> contradiction(Map<String, Long> counts, Set<String> own) {
        if (read && !own.equals(this.own)) {
            return Optional.of("acknowledged on " + id + ": " + this.own + ", answered: " + own);
        }
        boolean counted = own.stream().allMatch(each -> counts.getOrDefault(each, 0L) > 0);
        return counted || namespace.countsLag()
                ? Optional.empty()
                : Optional.of("own reactions on " + id + ": " + own + ", counted: " + counts);
    }
}
