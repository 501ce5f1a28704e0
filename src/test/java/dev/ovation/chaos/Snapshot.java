package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A committed state of Postgres.
 *
 * @param rows reactions by user and place
 * @param counts counters by place and reaction
 * @param people users with a reaction, by place, as the entities count them
 * @param versions versions of the entities
 * @param hidden reactions that a ban hides, by user and place
 * @param locks the reactions that the locked entities let pass
 * @param bans the namespaces from which users are banned, by user; an empty one stands for all
 * @param cursors (epoch, applied_seq) of the partitions
 */
record Snapshot(
        Map<Holder, Integer> rows,
        Map<Place, Map<String, Long>> counts,
        Map<Place, Long> people,
        Map<Place, Long> versions,
        Map<Holder, Integer> hidden,
        Map<Place, Integer> locks,
        Map<String, List<String>> bans,
        Map<Integer, Cursor> cursors) {

    private static final String ROWS =
            """
            select e.namespace, e.entity, r.user_id, x.name, r.form
            from   %s r
            join   entity e on e.p = r.p and e.no = r.entity_no
            join   reaction_name x on x.no = r.reaction
            """;

    /** Separates the reactions of a lock. */
    private static final String PART = "\u001e";

    /** A state without moderation. */
    Snapshot(
            Map<Holder, Integer> rows,
            Map<Place, Map<String, Long>> counts,
            Map<Place, Long> people,
            Map<Place, Long> versions,
            Map<Integer, Cursor> cursors) {
        this(rows, counts, people, versions, Map.of(), Map.of(), Map.of(), cursors);
    }

    record Holder(String user, Place place) {}

    record Cursor(long epoch, long seq) {}

    /** Reads a snapshot in one transaction. */
    static Snapshot read(Connection connection) throws SQLException {
        var snapshot =
                new Snapshot(
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashMap<>());
        connection.setAutoCommit(false);
        connection.setReadOnly(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (var statement = connection.createStatement()) {
            read(statement.executeQuery(ROWS.formatted("user_reaction")), snapshot.rows);
            read(statement.executeQuery(ROWS.formatted("hidden_reaction")), snapshot.hidden);
            var rows =
                    statement.executeQuery(
                            "select namespace, entity, reaction, count from named_counter");
            while (rows.next()) {
                snapshot.counts
                        .computeIfAbsent(place(rows), _ -> new HashMap<>())
                        .put(rows.getString(3), rows.getLong(4));
            }
            rows =
                    statement.executeQuery(
                            "select namespace, entity, version, people, lock from entity");
            while (rows.next()) {
                Place place = place(rows);
                snapshot.versions.put(place, rows.getLong(3));
                snapshot.people.put(place, rows.getLong(4));
                String lock = rows.getString(5);
                if (lock != null) {
                    snapshot.locks.put(place, passing(place, lock));
                }
            }
            rows = statement.executeQuery("select user_id, namespace from user_ban");
            while (rows.next()) {
                snapshot.bans
                        .computeIfAbsent(rows.getString(1), _ -> new ArrayList<>())
                        .add(rows.getString(2));
            }
            rows = statement.executeQuery("select p, epoch, applied_seq from partition");
            while (rows.next()) {
                snapshot.cursors.put(rows.getInt(1), new Cursor(rows.getLong(2), rows.getLong(3)));
            }
        } finally {
            connection.rollback();
        }
        return snapshot;
    }

    private static void read(ResultSet rows, Map<Holder, Integer> states) throws SQLException {
        while (rows.next()) {
            Place place = place(rows);
            int state = place.space().stored(rows.getString(4), rows.getString(5));
            states.merge(new Holder(rows.getString(3), place), state, (a, b) -> a | b);
        }
    }

    private static int passing(Place place, String lock) {
        int passing = 0;
        for (String key : lock.split(PART)) {
            passing |= key.isEmpty() ? 0 : place.space().stored(key, null);
        }
        return passing;
    }

    private static Place place(ResultSet row) throws SQLException {
        return new Place(Space.of(row.getString(1)), row.getString(2));
    }

    /** Inconsistencies within this snapshot. */
    List<String> faults() {
        var faults = new ArrayList<String>();
        var sums = new HashMap<Place, Map<String, Long>>();
        rows.forEach(
                (holder, bits) -> {
                    var sum = sums.computeIfAbsent(holder.place(), _ -> new HashMap<>());
                    Space space = holder.place().space();
                    space.keys(bits).forEach(reaction -> sum.merge(reaction, 1L, Long::sum));
                    for (String pair : space.pairs) {
                        int both = space.bits(pair.split(""));
                        if ((bits & both) == both) {
                            faults.add("%s has exclusive %s".formatted(holder, pair));
                        }
                    }
                    int most = space == Space.RULED ? Term.MOST_OF_A_USER : space.most;
                    if (Integer.bitCount(Space.kinds(bits)) > most) {
                        faults.add("%s has too many: %s".formatted(holder, space.names(bits)));
                    }
                    if ((bits & space.foreign) != 0) {
                        faults.add("%s has what is refused".formatted(holder));
                    }
                });
        if (!sums.equals(counts)) {
            var both = new HashMap<>(sums);
            both.putAll(counts);
            both.keySet().stream()
                    .filter(place -> !sums.getOrDefault(place, Map.of()).equals(counts(place)))
                    .forEach(
                            place ->
                                    faults.add(
                                            "%s: counters %s, rows %s"
                                                    .formatted(
                                                            place,
                                                            counts(place),
                                                            sums.get(place))));
        }
        var users = new HashMap<Place, Long>();
        rows.keySet().forEach(holder -> users.merge(holder.place(), 1L, Long::sum));
        people.forEach(
                (place, counted) -> {
                    long held = users.getOrDefault(place, 0L);
                    if (counted != held) {
                        faults.add("%s: people %d, users %d".formatted(place, counted, held));
                    }
                });
        counts.forEach(
                (place, kinds) -> {
                    if (kinds.size() > place.space().limit) {
                        faults.add("%s shows too many kinds: %s".formatted(place, kinds));
                    }
                    if (place.space() == Space.RULED
                            && kinds.values().stream().mapToLong(Long::longValue).sum()
                                    > Term.MOST_OF_AN_ENTITY) {
                        faults.add("%s has too many reactions: %s".formatted(place, kinds));
                    }
                });
        return faults;
    }

    /** Inconsistencies between this snapshot and an earlier one. */
    List<String> faultsAfter(Snapshot earlier) {
        var faults = new ArrayList<String>();
        earlier.versions.forEach(
                (place, version) -> {
                    if (versions.getOrDefault(place, -1L) < version) {
                        faults.add(
                                "the version of %s went from %d to %s"
                                        .formatted(place, version, versions.get(place)));
                    }
                });
        earlier.cursors.forEach(
                (p, before) -> {
                    Cursor after = cursors.get(p);
                    if (after == null
                            || after.epoch() < before.epoch()
                            || after.epoch() == before.epoch() && after.seq() < before.seq()) {
                        faults.add("cursor %d went from %s to %s".formatted(p, before, after));
                    }
                });
        return faults;
    }

    private Map<String, Long> counts(Place place) {
        return counts.getOrDefault(place, Map.of());
    }
}
