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
 * @param cursors (epoch, applied_seq) of the partitions
 */
record Snapshot(
        Map<Holder, Integer> rows,
        Map<Place, Map<String, Long>> counts,
        Map<Place, Long> people,
        Map<Place, Long> versions,
        Map<Integer, Cursor> cursors) {

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
                        new HashMap<>());
        connection.setAutoCommit(false);
        connection.setReadOnly(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (var statement = connection.createStatement()) {
            var rows =
                    statement.executeQuery(
                            "select namespace, entity, user_id, reaction from named_reaction");
            while (rows.next()) {
                snapshot.rows.merge(
                        new Holder(rows.getString(3), place(rows)),
                        Place.bits(List.of(rows.getString(4))),
                        (a, b) -> a | b);
            }
            rows =
                    statement.executeQuery(
                            "select namespace, entity, reaction, count from named_counter");
            while (rows.next()) {
                snapshot.counts
                        .computeIfAbsent(place(rows), _ -> new HashMap<>())
                        .put(rows.getString(3), rows.getLong(4));
            }
            rows = statement.executeQuery("select namespace, entity, version, people from entity");
            while (rows.next()) {
                snapshot.versions.put(place(rows), rows.getLong(3));
                snapshot.people.put(place(rows), rows.getLong(4));
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

    private static Place place(ResultSet row) throws SQLException {
        return new Place(Space.valueOf(row.getString(1).toUpperCase()), row.getString(2));
    }

    /** Inconsistencies within this snapshot. */
    List<String> faults() {
        var faults = new ArrayList<String>();
        var sums = new HashMap<Place, Map<String, Long>>();
        rows.forEach(
                (holder, bits) -> {
                    var sum = sums.computeIfAbsent(holder.place(), _ -> new HashMap<>());
                    Place.names(bits).forEach(reaction -> sum.merge(reaction, 1L, Long::sum));
                    for (String pair : holder.place().space().pairs) {
                        int both = Place.bits(List.of(pair.split("")));
                        if ((bits & both) == both) {
                            faults.add("%s has exclusive %s".formatted(holder, pair));
                        }
                    }
                    if (holder.place().space() == Space.RULED
                            && Integer.bitCount(bits) > Term.MOST_OF_A_USER) {
                        faults.add("%s has too many: %s".formatted(holder, Place.names(bits)));
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
