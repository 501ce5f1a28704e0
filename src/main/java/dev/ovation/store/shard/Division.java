package dev.ovation.store.shard;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The number of a shard for each partition; none for an undivided Postgres. */
final class Division {

    static final Division NONE = new Division();

    private final long[] ids;

    Division(long... ids) {
        this.ids = ids;
    }

    boolean exists() {
        return ids.length > 0;
    }

    /** Returns the number of partitions. */
    int count() {
        return ids.length;
    }

    long of(int p) {
        return ids[p];
    }

    Map<Long, List<Integer>> partitions() {
        var found = new LinkedHashMap<Long, List<Integer>>();
        for (int p = 0; p < ids.length; p++) {
            found.computeIfAbsent(ids[p], _ -> new ArrayList<>()).add(p);
        }
        return found;
    }

    /** Returns whether Citus is there, and has divided the tables. */
    static boolean isPresent(JdbcTemplate jdbc) {
        boolean known =
                Boolean.TRUE.equals(
                        jdbc.queryForObject(
                                "select to_regclass('pg_dist_partition') is not null",
                                Boolean.class));
        return known
                && Boolean.TRUE.equals(
                        jdbc.queryForObject(
                                """
                                select exists (select from pg_dist_partition
                                               where  logicalrelid = 'partition'::regclass)
                                """,
                                Boolean.class));
    }

    /** Refuses a role that cannot lock shards, and cannot make functions for them. */
    static void demandOwner(JdbcTemplate jdbc) {
        if (!Boolean.TRUE.equals(
                jdbc.queryForObject(
                        """
                        select pg_has_role(current_user, relowner, 'usage') from pg_class
                        where  oid = 'partition'::regclass
                        """,
                        Boolean.class))) {
            throw new IllegalStateException(
                    "On a Citus the role of the service must own the tables, or be a member of"
                            + " their owner with its rights. Name the owner by"
                            + " spring.datasource.username.");
        }
    }

    static Division read(JdbcTemplate jdbc, int count) {
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
}
