package dev.ovation.bench;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Fills the service's tables with entities that nobody has touched: {@code <jdbc url> <namespace>
 * <prefix> <first> <last> <reactors>} makes {@code <prefix>first … <prefix>last}, on each of which
 * {@code user-1 … user-<reactors>} have one reaction each, in turn one of four. Counts are counted
 * from the rows, and ranked.
 */
final class Fill {

    private static final int CHUNK = 100_000; // rows in a transaction

    private Fill() {}

    public static void main(String... arguments) throws SQLException {
        try (var connection = Servers.connect(arguments[0])) {
            fill(
                    connection,
                    arguments[1],
                    arguments[2],
                    Integer.parseInt(arguments[3]),
                    Integer.parseInt(arguments[4]),
                    Integer.parseInt(arguments[5]));
            // Or else autovacuum does it, in the middle of a measurement.
            try (var statement = connection.createStatement()) {
                statement.execute("truncate changed_entity, ranking_waiting");
                statement.execute("call rebuild_ranking(10000)");
                statement.execute(
                        "vacuum (analyze) user_reaction, counter, entity, ranking, ranking_list");
                statement.execute("checkpoint");
            }
        }
    }

    /** Adds the entities; the numbers include both ends. */
    static void fill(
            Connection connection,
            String namespace,
            String prefix,
            int first,
            int last,
            int reactors)
            throws SQLException {
        int step = Math.max(1, CHUNK / reactors);
        for (int from = first; from <= last; from += step) {
            add(connection, namespace, prefix, from, Math.min(last, from + step - 1), reactors);
        }
    }

    private static void add(
            Connection connection,
            String namespace,
            String prefix,
            int first,
            int last,
            int reactors)
            throws SQLException {
        try (var statement =
                connection.prepareStatement(
                        """
                        with added as (
                            insert into user_reaction (namespace, entity, user_id, reaction, reacted_at)
                            select ?, ? || e, 'user-' || r, ('{👍,😂,😮,🔥}'::text[])[1 + r % 4],
                                   1700000000000000 + r
                            from   generate_series(?, ?) e, generate_series(1, ?) r
                            returning namespace, entity, reaction, reacted_at
                        ), counted as (
                            insert into counter (namespace, entity, reaction, count, first_at, last_at)
                            select namespace, entity, reaction, count(*), min(reacted_at), max(reacted_at)
                            from   added
                            group  by namespace, entity, reaction
                        )
                        insert into entity (namespace, entity, version, last_op, last_at)
                        select namespace, entity, count(*), 'filled', max(reacted_at)
                        from   added
                        group  by namespace, entity
                        """)) {
            statement.setString(1, namespace);
            statement.setString(2, prefix);
            statement.setInt(3, first);
            statement.setInt(4, last);
            statement.setInt(5, reactors);
            statement.executeUpdate();
        }
    }
}
