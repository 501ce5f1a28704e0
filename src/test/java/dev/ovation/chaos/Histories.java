package dev.ovation.chaos;

import dev.ovation.chaos.Snapshot.Holder;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Histories of all users on all entities, and their final check. */
final class Histories {

    /** Increment of a version by an import or an erasure: one more than an outbox holds. */
    static final long LEAP = 20_001;

    private final Season season;
    private final InstantSource clock;
    private final Violations violations;
    private final Map<Holder, History> all = new ConcurrentHashMap<>();
    private final Map<Place, Audience> audiences = new ConcurrentHashMap<>();
    private volatile boolean erasures;

    Histories(Season season, InstantSource clock, Violations violations) {
        this.season = season;
        this.clock = clock;
        this.violations = violations;
    }

    /** Whether the versions differ by whole leaps of imports and erasures, or are equal. */
    static boolean isLeap(long before, long after) {
        return before <= after && (after - before) % LEAP == 0;
    }

    History of(String user, Place place) {
        return all.computeIfAbsent(
                new Holder(user, place),
                _ -> new History(user, place, new Terms(place.space(), season, clock), violations));
    }

    /** Anonymous readers of an entity. */
    Audience audience(Place place) {
        return audiences.computeIfAbsent(place, _ -> new Audience(place, violations));
    }

    Set<Holder> holders() {
        return all.keySet();
    }

    List<History> of(Place place) {
        return all.values().stream().filter(history -> history.place.equals(place)).toList();
    }

    /** Whether no operation of a user can be in flight on any entity. */
    boolean areSure(String user) {
        return ofUser(user).allMatch(History::isSure);
    }

    /** Registers that the user was erased everywhere. */
    void erased(String user) {
        erasures = true;
        ofUser(user).forEach(History::erased);
    }

    private Stream<History> ofUser(String user) {
        return all.values().stream().filter(history -> history.user.equals(user));
    }

    /**
     * Judges the stored state, when no operation is in flight. The histories must explain all rows.
     * The numbers of changes and of version gaps must explain the version of each entity. Imports
     * are counted. An erasure may change an entity more than once, and also entities that the user
     * only read.
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
                    LongStream.rangeClosed(0, erasures ? version / LEAP : leaps.get(place))
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
