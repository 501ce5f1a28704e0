package dev.ovation.simulation.app;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An entity as one user's app sees it. The user's own reactions are those of the first answer and
 * the changes acknowledged since. An answer with other reactions is a contradiction, as is one that
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

    List<String> own() {
        return List.copyOf(own);
    }

    /** Reactions that the user may add without exceeding a limit, according to the app. */
    List<String> offers() {
        var offers = new ArrayList<>(namespace.reactions());
        if (counts.size() >= namespace.limit()) {
            offers.retainAll(counts.keySet());
        }
        offers.removeAll(own);
        return offers;
    }

    /** Counter that grows with every click of the user and every acknowledgement. */
    int changes() {
        return changes;
    }

    /** Registers a click: reads from now on until the answer may show either state. */
    void clicked() {
        changes++;
    }

    /** Registers an acknowledged addition, which also removes the reactions that it excludes. */
    void added(String reaction) {
        changes++;
        namespace.excludedBy(reaction).forEach(this::take);
        if (own.add(reaction)) {
            counts.merge(reaction, 1L, Long::sum);
        }
    }

    /** Registers an acknowledged removal. */
    void removed(String reaction) {
        changes++;
        take(reaction);
    }

    private void take(String reaction) {
        if (own.remove(reaction)) {
            counts.computeIfPresent(reaction, (_, count) -> count > 1 ? count - 1 : null);
        }
    }

    /** Registers a change with an unknown outcome: from now on no answer is a contradiction. */
    void doubt() {
        doubtful = true;
    }

    /**
     * Processes an answer.
     *
     * @param asked {@link #changes} when it was requested; if the user reacted meanwhile, the
     *     answer is ignored
     * @return the contradiction, if any; it is returned once, then the answer becomes the state
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

    /** A combination in the first answer may be older than the rule. */
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
