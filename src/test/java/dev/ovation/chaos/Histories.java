package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;
import dev.ovation.chaos.Snapshot.Holder;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
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
    private final Map<Place, LockRegister> locks = new ConcurrentHashMap<>();
    private final Map<String, BanRegister> bans = new ConcurrentHashMap<>();

    /** Histories by user and by place, guarded by {@link #moderations}. */
    private final Map<Object, List<History>> bySubject = new HashMap<>();

    /** Open operations of moderators, and what they concern; the lock of new histories, too. */
    private final Map<Operation, Concern> moderations = new HashMap<>();

    /** The ends of those that concern no later addition. */
    private final Map<Operation, Instant> over = new HashMap<>();

    private volatile boolean erasures;

    /** The histories that an operation of a moderator concerns: of a user or of a place. */
    record Concern(String user, Space space, Place place) {

        /** All reactions of a user in a namespace; null stands for all namespaces. */
        static Concern of(String user, Space space) {
            return new Concern(user, space, null);
        }

        /** The reactions of all users of an entity. */
        static Concern of(Place place) {
            return new Concern(null, place.space(), place);
        }

        private Object key() {
            return user == null ? place : user;
        }

        private boolean has(Holder holder) {
            return (user == null || user.equals(holder.user()))
                    && (space == null || space == holder.place().space())
                    && (place == null || place.equals(holder.place()));
        }
    }

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
        var holder = new Holder(user, place);
        History known = all.get(holder);
        if (known != null) {
            return known;
        }
        synchronized (moderations) {
            return all.computeIfAbsent(holder, this::begin);
        }
    }

    private History begin(Holder holder) {
        Place place = holder.place();
        var terms = new Terms(place.space(), season, clock, locks(place), bans(holder.user()));
        var history = new History(holder.user(), place, terms, violations);
        moderations.forEach(
                (moderation, concern) -> {
                    if (concern.has(holder)) {
                        history.opened(moderation);
                    }
                    if (concern.has(holder) && over.containsKey(moderation)) {
                        history.ended(moderation, over.get(moderation));
                    }
                });
        for (Object key : List.of(holder.user(), place)) {
            bySubject.computeIfAbsent(key, _ -> new ArrayList<>()).add(history);
        }
        return history;
    }

    /** The locks of an entity. */
    LockRegister locks(Place place) {
        return locks.computeIfAbsent(place, _ -> new LockRegister(clock));
    }

    /** The bans of a user. */
    BanRegister bans(String user) {
        return bans.computeIfAbsent(user, _ -> new BanRegister(clock));
    }

    /** Anonymous readers of an entity. */
    Audience audience(Place place) {
        return audiences.computeIfAbsent(place, _ -> new Audience(place, violations));
    }

    Set<Holder> holders() {
        return all.keySet();
    }

    /**
     * Registers an operation of a moderator before its request: it may happen from now on, to all
     * users and entities that it concerns.
     */
    void opened(Operation moderation, Concern concern) {
        synchronized (moderations) {
            moderations.put(moderation, concern);
            concerned(moderation).forEach(history -> history.opened(moderation));
        }
    }

    /** Registers that an operation of a moderator was refused. */
    void withdrawn(Operation moderation) {
        ended(moderation, history -> history.withdrawn(moderation));
    }

    /** Registers that an operation of a moderator happened, and will not happen again. */
    void settled(Operation moderation) {
        ended(moderation, history -> history.settled(moderation));
    }

    /**
     * Registers that an operation of a moderator has left nothing to do.
     *
     * @param isLast whether it will not happen any more
     */
    void completed(Operation moderation, boolean isLast) {
        synchronized (moderations) {
            concerned(moderation).forEach(history -> history.completed(moderation, isLast));
            if (isLast) {
                moderations.remove(moderation);
            }
        }
    }

    /** Registers that an operation of a moderator does not concern what is added after its end. */
    void over(Operation moderation, Instant end) {
        synchronized (moderations) {
            over.put(moderation, end);
            concerned(moderation).forEach(history -> history.ended(moderation, end));
        }
    }

    /** Registers that an operation of a moderator will not happen any more. */
    void closed(Operation moderation) {
        ended(moderation, history -> history.closed(moderation));
    }

    private void ended(Operation moderation, Consumer<History> end) {
        synchronized (moderations) {
            concerned(moderation).forEach(end);
            moderations.remove(moderation);
        }
    }

    private List<History> concerned(Operation moderation) {
        Concern concern = moderations.get(moderation);
        return bySubject.getOrDefault(concern.key(), List.of()).stream()
                .filter(history -> concern.has(new Holder(history.user, history.place)))
                .toList();
    }

    /** Whether no operation of a user can be in flight on any entity. */
    boolean areSure(String user) {
        return ofUser(user).allMatch(History::isSure);
    }

    /** Registers that the user was erased everywhere. */
    void erased(String user) {
        erasures = true;
        bans(user).erased();
        ofUser(user).forEach(History::erased);
    }

    private Stream<History> ofUser(String user) {
        synchronized (moderations) {
            return List.copyOf(bySubject.getOrDefault(user, List.of())).stream();
        }
    }

    /**
     * Judges the stored state, when no operation is in flight. The histories must explain all rows.
     * The numbers of changes and of version gaps must explain the version of each entity. Imports
     * are counted. An erasure may change an entity more than once, and also entities that the user
     * only read; so may moderators.
     */
    void judge(Snapshot stored) {
        stored.faults().forEach(violations::add);
        Stream.of(stored.rows(), stored.hidden())
                .flatMap(rows -> rows.keySet().stream())
                .filter(holder -> !all.containsKey(holder))
                .forEach(holder -> violations.add("no client wrote what is stored for " + holder));
        judgeModeration(stored);
        var least = new HashMap<Place, Integer>();
        var most = new HashMap<Place, Integer>();
        var leaps = new HashMap<Place, Integer>();
        var moderated = new HashSet<Place>();
        all.forEach(
                (holder, history) -> {
                    int state = stored.rows().getOrDefault(holder, 0);
                    history.stored(state, stored.hidden().getOrDefault(holder, 0));
                    var changes = history.changes(state);
                    least.merge(holder.place(), changes.least(), Integer::sum);
                    most.merge(holder.place(), changes.most(), Integer::sum);
                    leaps.merge(holder.place(), history.leaps(), Integer::sum);
                    if (history.isModerated() || locks(holder.place()).isUsed()) {
                        moderated.add(holder.place());
                    }
                });
        all.values().stream().filter(History::isBroken).forEach(one -> least.remove(one.place));
        for (Place place : least.keySet()) {
            long version = stored.versions().getOrDefault(place, 0L);
            int from = least.get(place);
            int to = most.get(place);
            boolean isAnyLeap = erasures || moderated.contains(place);
            boolean explained =
                    LongStream.rangeClosed(0, isAnyLeap ? version / LEAP : leaps.get(place))
                            .map(n -> version - n * LEAP)
                            .anyMatch(changes -> from <= changes && changes <= to);
            if (!explained) {
                violations.add(
                        "%s has version %d, but between %d and %d changes explain it, and %d leaps"
                                .formatted(place, version, from, to, leaps.get(place)));
            }
        }
    }

    private void judgeModeration(Snapshot stored) {
        locks.forEach(
                (place, register) -> {
                    int lock = stored.locks().getOrDefault(place, LockRegister.OPEN);
                    if (!register.explains(lock)) {
                        violations.add(
                                "%s is stored with a lock that lets pass %s"
                                        .formatted(
                                                place,
                                                lock == LockRegister.OPEN
                                                        ? "all"
                                                        : place.names(lock)));
                    }
                });
        stored.locks().keySet().stream()
                .filter(place -> !locks.containsKey(place))
                .forEach(place -> violations.add("no request locked " + place));
        bans.forEach(
                (user, register) -> {
                    var banned = stored.bans().getOrDefault(user, List.of());
                    if (!register.explains(banned)) {
                        violations.add("stored are bans of %s in %s".formatted(user, banned));
                    }
                });
        stored.bans().keySet().stream()
                .filter(user -> !bans.containsKey(user))
                .forEach(user -> violations.add("no request banned " + user));
    }
}
