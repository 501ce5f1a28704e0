package dev.ovation.store.shard;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Statements about the shards of a Citus. */
final class CitusStatements {

    private final JdbcTemplate jdbc;

    CitusStatements(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns whether Citus is there, and has divided the tables. */
    boolean hasDivided() {
        return holds("select to_regclass('pg_dist_partition') is not null")
                && holds(
                        """
                        select exists (select from pg_dist_partition
                                       where  logicalrelid = 'partition'::regclass)
                        """);
    }

    /** Refuses a role that cannot lock shards, and cannot make functions for them. */
    void demandOwner() {
        if (!holds(
                """
                select pg_has_role(current_user, relowner, 'usage') from pg_class
                where  oid = 'partition'::regclass
                """)) {
            throw new IllegalStateException(
                    "On a Citus the role of the service must own the tables, or be a member of"
                            + " their owner with its rights. Name the owner by"
                            + " spring.datasource.username.");
        }
    }

    private boolean holds(String question) {
        return Boolean.TRUE.equals(jdbc.queryForObject(question, Boolean.class));
    }

    /** Returns the shards of the partitions. */
    Division division(int count) {
        List<Long> ids =
                jdbc.query(
                        """
                        select get_shard_id_for_distribution_column('partition', p)
                        from   generate_series(0, ? - 1) p order by p
                        """,
                        (row, _) -> row.getLong(1),
                        count);
        return new Division(ids.stream().mapToLong(Long::longValue).toArray());
    }

    /** Makes all changes of the present transaction on a node by one connection. */
    void oneConnectionToANode() {
        jdbc.execute("set local citus.multi_shard_modify_mode = 'sequential'");
    }

    /** Sets a setting of the present transaction here and on its nodes. */
    void setLocal(String setting) {
        jdbc.execute("set local citus.propagate_set_commands = 'local'");
        jdbc.execute("set local " + setting);
    }

    /** Returns about how many rows a table has in all shards, by the statistics of Postgres. */
    long estimatedRows(String table) {
        return Objects.requireNonNull(
                jdbc.queryForObject(
                        """
                        select coalesce(sum(result::bigint), 0) from run_command_on_shards(
                            ?, $$select greatest(reltuples, 0)::bigint from pg_class
                                 where oid = '%s'::regclass$$)
                        """,
                        Long.class, table));
    }

    /**
     * Returns the transactions that nodes have prepared for Citus and not ended; fails if a node
     * does not answer.
     */
    Set<String> prepared() {
        var gids = new HashSet<String>();
        jdbc.query(
                """
                select success, result from run_command_on_all_nodes(
                    $$select coalesce(string_agg(gid, ' '), '') from pg_prepared_xacts
                      where  database = current_database() and starts_with(gid, 'citus_')$$)
                """,
                row -> {
                    if (!row.getBoolean(1)) {
                        throw new DataAccessResourceFailureException(
                                "A node does not answer: " + row.getString(2));
                    }
                    gids.addAll(List.of(row.getString(2).split(" ")));
                });
        gids.remove("");
        return gids;
    }

    /** Keeps the shard of a partition on its node until the transaction ends. */
    void pin(int p) {
        jdbc.query(
                """
                select lock_shard_metadata(
                    5, array[get_shard_id_for_distribution_column('partition', ?)])
                """,
                _ -> {},
                p);
    }
}
