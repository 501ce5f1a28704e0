package dev.ovation.bench;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Measures the size of {@code user_reaction}: {@code <jdbc url> <rows>} inserts this many rows, of
 * random users on 300 entities of 64 partitions, in transactions of 50, and prints the bytes of
 * each part for a row.
 */
final class Storage {

    private static final int BATCH = 50;

    private static final String INSERT =
            """
            insert into user_reaction (p, entity_no, reaction, user_id, reacted_at)
            select e % 64, 1000000 + e / 64, 1 + (random() * 3)::int,
                   'user-' || (random() * 9999999)::int, 1700000000000000 + (? + n) * 137
            from  (select n, (random() * 299)::int as e from generate_series(1, ?) n) r
            on     conflict do nothing
            """;

    private static final String WEIGH =
            """
            select 'rows', count(*)::float8 from user_reaction
            union all
            select 'table_bytes', pg_table_size('user_reaction') / n from rows
            union all
            select 'key_bytes', pg_relation_size('user_reaction_pkey') / n from rows
            union all
            select 'newest_bytes', pg_relation_size('user_reaction_newest') / n from rows
            union all
            select 'bytes', pg_total_relation_size('user_reaction') / n from rows
            """;

    private Storage() {}

    public static void main(String... arguments) throws SQLException {
        try (var connection = Servers.connect(arguments[0])) {
            fill(connection, Integer.parseInt(arguments[1]));
            weigh(connection);
        }
    }

    private static void fill(Connection connection, int rows) throws SQLException {
        try (var insert = connection.prepareStatement(INSERT)) {
            for (int row = 0; row < rows; row += BATCH) {
                insert.setLong(1, row);
                insert.setInt(2, Math.min(BATCH, rows - row));
                insert.executeUpdate();
            }
        }
    }

    private static void weigh(Connection connection) throws SQLException {
        String rows = "with rows as (select count(*)::float8 as n from user_reaction) ";
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(rows + WEIGH)) {
            while (found.next()) {
                System.out.printf("%s\t%.1f%n", found.getString(1), found.getDouble(2));
            }
        }
        System.out.printf("errors\t0%n");
    }
}
