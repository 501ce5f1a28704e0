package dev.ovation.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Measures the size of rows: {@code <jdbc url> <rows>} inserts this many into {@code
 * user_reaction}, of random users on 300 entities of 64 partitions, in transactions of 50, and a
 * tenth as many into each other table that grows with use. Prints the bytes of each part of the
 * first table for a row, and of the others the bytes with their indexes.
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

    /** Tables that are new, with the measure of their rows, and rows as writes leave them. */
    private enum Other {
        ENTITY(
                "entity",
                """
                insert into entity (version, last_at, no, people, p, namespace, entity, last_op)
                select 7, 1700000000000000 + n, n / 16 + 1, 1, n % 16, 'posts', 'entity-' || n,
                       md5(n::text) || '-' || n
                from   generate_series(1, ?) n
                """),
        COUNTER(
                "counter",
                """
                insert into counter (count, first_at, last_at, entity_no, p, reaction)
                select 5, 1700000000000000 + n, 1700000000000000 + n, n / 16 + 1, n % 16, 1
                from   generate_series(1, ?) n
                """),
        ANSWER(
                "idempotency_1",
                """
                insert into idempotency (period, namespace, user_id, key, request_hash, op_id, answer)
                select 1, 'posts', 'user-' || (random() * 9999999)::int, gen_random_uuid()::text,
                       md5(n::text) || md5(n::text), md5(n::text) || '-' || n,
                       '{"epoch":1,"version":7,"added":["👍"],"removed":[],"counters":[{"reaction":"👍",
                         "count":5,"firstAt":1700000000000000,"lastAt":1700000000000137}],"own":["👍"]}'::jsonb
                from   generate_series(1, ?) n
                """),
        EVENT(
                "change_log_1",
                """
                insert into change_log (position, version, epoch, at, total, period, entity_no, p, kind,
                                        user_id, change)
                select n, 7, 1, 1700000000000000 + n, 5, 1, n / 16 + 1, n % 16, 'changed',
                       'user-' || (random() * 9999999)::int, '{"added":["👍"],"counts":{"👍":5},"removed":[]}'::json
                from   generate_series(1, ?) n
                """);

        private final String table;
        private final String insert;

        Other(String table, String insert) {
            this.table = table;
            this.insert = insert;
        }

        private void measure(Connection connection, int rows) throws SQLException {
            try (var filling = connection.prepareStatement(insert);
                    var weighing =
                            connection.prepareStatement(
                                    "select pg_total_relation_size(?::regclass)")) {
                filling.setInt(1, rows);
                filling.executeUpdate();
                weighing.setString(1, table);
                try (var found = weighing.executeQuery()) {
                    found.next();
                    String measure = name().toLowerCase(Locale.ROOT);
                    System.out.printf("%s_bytes\t%.1f%n", measure, found.getDouble(1) / rows);
                }
            }
        }
    }

    private Storage() {}

    public static void main(String... arguments) throws SQLException {
        try (var connection = Servers.connect(arguments[0])) {
            fill(connection, Integer.parseInt(arguments[1]));
            weigh(connection);
            for (Other other : Other.values()) {
                other.measure(connection, Integer.parseInt(arguments[1]) / 10);
            }
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
