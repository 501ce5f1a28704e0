package dev.ovation.bench;

import org.springframework.core.io.ClassPathResource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Fills the service's tables with unused entities: {@code <jdbc url> <namespace> <prefix> <first>
 * <last> <reactors>} creates {@code <prefix>first … <prefix>last}, on each of which {@code user-1 …
 * user-<reactors>} have one reaction each, in turn one of four. Counts are derived from the rows,
 * and ranked.
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
            // Otherwise autovacuum does it, in the middle of a measurement.
            try (var statement = connection.createStatement()) {
                statement.execute("truncate changed_entity, ranking_waiting");
                statement.execute("call rebuild_ranking(10000)");
                statement.execute(
                        "vacuum (analyze) user_reaction, counter, entity, ranking, ranking_list");
                statement.execute("checkpoint");
            }
        }
    }

    /** Adds the entities; both numbers are inclusive. */
    static void fill(
            Connection connection,
            String namespace,
            String prefix,
            int first,
            int last,
            int reactors)
            throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(partitionOf());
            statement.execute(
                    """
                    insert into reaction_name (no, name)
                    select (select coalesce(max(no), 0) from reaction_name) + row_number() over (), name
                    from   unnest('{👍,😂,😮,🔥}'::text[]) as k (name)
                    on     conflict (name) do nothing
                    """);
        }
        int step = Math.max(1, CHUNK / reactors);
        for (int from = first; from <= last; from += step) {
            add(connection, namespace, prefix, from, Math.min(last, from + step - 1), reactors);
        }
    }

    private static String partitionOf() {
        try {
            return new ClassPathResource("partition-of.sql")
                    .getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
                        with created as (
                            insert into entity (p, no, namespace, entity, version, last_op, last_at, people)
                            select p, (select coalesce(max(no), 0) from entity e where e.p = k.p)
                                      + row_number() over (partition by p),
                                   namespace, entity, ?, 'filled', 1700000000000000 + ?, ?
                            from  (select n.namespace, e.entity,
                                          partition_of(n.namespace, e.entity, n.partitions) as p
                                   from  (select ?::text as namespace,
                                                 (select count(*) from partition) as partitions) n,
                                         (select ? || e as entity
                                          from   generate_series(?, ?) e) e) k
                            returning p, no
                        ), added as (
                            insert into user_reaction (p, entity_no, reaction, user_id, reacted_at)
                            select e.p, e.no, x.no, 'user-' || r, 1700000000000000 + r
                            from   generate_series(1, ?) r
                            join   reaction_name x on x.name = ('{👍,😂,😮,🔥}'::text[])[1 + r % 4]
                            cross  join created e
                            returning p, entity_no, reaction, reacted_at
                        )
                        insert into counter (p, entity_no, reaction, count, first_at, last_at)
                        select p, entity_no, reaction, count(*), min(reacted_at), max(reacted_at)
                        from   added
                        group  by p, entity_no, reaction
                        """)) {
            statement.setInt(1, reactors);
            statement.setInt(2, reactors);
            statement.setInt(3, reactors);
            statement.setString(4, namespace);
            statement.setString(5, prefix);
            statement.setInt(6, first);
            statement.setInt(7, last);
            statement.setInt(8, reactors);
            statement.executeUpdate();
        }
    }
}
