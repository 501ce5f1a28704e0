package dev.ovation.chaos;

import dev.ovation.chaos.Snapshot.Holder;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/** The histories of all users on all entities, and what is wrong with them in the end. */
final class Histories {

    /** By how much an import raises a version: by one more than an outbox holds. */
    static final long LEAP = 20_001;

    private final Violations violations;
    private final Map<Holder, History> all = new ConcurrentHashMap<>();
    private final Map<Place, Audience> audiences = new ConcurrentHashMap<>();

    Histories(Violations violations) {
        this.violations = violations;
    }

    History of(String user, Place place) {
        return all.computeIfAbsent(
                new Holder(user, place), _ -> new History(user, place, violations));
    }

    /** Everybody who looks at an entity. */
    Audience audience(Place place) {
        return audiences.computeIfAbsent(place, _ -> new Audience(place, violations));
    }

    Set<Holder> holders() {
        return all.keySet();
    }

    List<History> of(Place place) {
        return all.values().stream().filter(history -> history.place.equals(place)).toList();
    }

    /**
     * Once nothing is under way any more: what is stored must be explained by what users were told,
     * and the version of each entity by the number of changes, and of leaps of imports.
     */
    void judge(Snapshot stored) {
        stored.faults().forEach(violations::add);
        stored.rows().keySet().stream()
                .filter(holder -> !all.containsKey(holder))
                .forEach(holder -> violations.add("nobody wrote what is stored for " + holder));
        var least = new HashMap<Place, Integer>();
        var most = new HashMap<Place, Integer>();
        var leaps = new HashMap<Place, Integer>();
        all.forEach(
                (holder, history) -> {
                    int state = stored.rows().getOrDefault(holder, 0);
                    history.stored(state);
                    var changes = history.changes(state);
                    least.merge(holder.place(), changes.least(), Integer::sum);
                    most.merge(holder.place(), changes.most(), Integer::sum);
                    leaps.merge(holder.place(), history.leaps(), Integer::sum);
                });
        all.values().stream().filter(History::isBroken).forEach(one -> least.remove(one.place));
        for (Place place : least.keySet()) {
            long version = stored.versions().getOrDefault(place, 0L);
            int from = least.get(place);
            int to = most.get(place);
            boolean explained =
                    LongStream.rangeClosed(0, leaps.get(place))
                            .map(n -> version - n * LEAP)
                            .anyMatch(changes -> from <= changes && changes <= to);
            if (!explained) {
                violations.add(
                        "%s has version %d, but between %d and %d changes explain it, and %d leaps"
                                .formatted(place, version, from, to, leaps.get(place)));
            }
        }
    }
}
