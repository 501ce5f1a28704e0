package dev.ovation.transfer.staging;

import dev.ovation.store.Columns;
import dev.ovation.store.shard.Shards;
import dev.ovation.transfer.file.FileKind;
import dev.ovation.transfer.file.FileKind.RowKind;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Table {@code import_row}: staged rows that imports have yet to merge. A deletion of rows waits
 * for the current steps of imports, and later steps wait for the deletion: so rows merged earlier
 * are in the tables of reactions, names and friends, and no row is merged afterwards.
 */
public final class StagedRowRemoval {

    public static final String START = "0 0 0";

    /** Rows that name a user. */
    public static final String OF_USER =
            """
            (user_id = :user or value = :user and exists (
                 select from job j where j.job_id = r.job_id and j.kind = any (:pairs)))
            """;

    /** The same, where the jobs and the rows are on different nodes. */
    private static final String OF_USER_DIVIDED =
            "(user_id = :user or value = :user and job_id = any (:paired))";

    /** Rows that are reactions to an entity. */
    public static final String OF_ENTITY = "(namespace = :namespace and entity = :entity)";

    private static final int PAGE = 20_000;

    /** The kinds of jobs whose rows name a second user, in column {@code value}. */
    private static final Set<String> PAIRS = jobKinds(kind -> kind.target == RowKind.FRIENDS);

    private final JdbcClient jdbc;
    private final Shards shards;

    public StagedRowRemoval(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = JdbcClient.create(jdbc);
        this.shards = shards;
    }

    /** Returns the kinds of all jobs that read staged rows. Their reports may name users. */
    public static Set<String> jobKinds() {
        var kinds = new HashSet<>(importKinds());
        kinds.add(FileKind.COMPARISON);
        return Set.copyOf(kinds);
    }

    /** Returns the kinds of all import jobs. */
    public static Set<String> importKinds() {
        return jobKinds(_ -> true);
    }

    private static Set<String> jobKinds(Predicate<FileKind> which) {
        return Arrays.stream(FileKind.values())
                .filter(which)
                .map(FileKind::job)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The result for one part of the table.
     *
     * @param removed number of deleted rows
     * @param next row after which the next part begins; null when this was the last
     */
    public record StagedRowResult(long removed, @Nullable String next) {}

    private record StagedRowBatch(long rows, String last, List<Long> jobs) {}

    /**
     * Deletes rows of a part of the table, within a transaction.
     *
     * @param which {@link #OF_USER} or {@link #OF_ENTITY}
     * @param whose values of the ids in {@code which}
     * @param from row after which the part begins
     */
    public StagedRowResult delete(String which, Map<String, String> whose, String from) {
        if (shards.areMany() && which.equals(OF_USER)) {
            return delete(OF_USER_DIVIDED, whose, paired(), from);
        }
        return delete(which, whose, Columns.texts(PAIRS), from);
    }

    private Object paired() {
        return jdbc.sql("select job_id from job where kind = any (:pairs)")
                .param("pairs", Columns.texts(PAIRS))
                .query(Long.class)
                .list()
                .toArray(Long[]::new);
    }

    /**
     * @param pairs the kinds of jobs whose rows name a second user, or these jobs
     */
    private StagedRowResult delete(
            String which, Map<String, String> whose, Object pairs, String from) {
        StagedRowBatch found = find(which, whose, pairs, from);
        long removed = 0;
        if (!found.jobs.isEmpty()) {
            jdbc.sql("select from job where job_id = any (:jobs) order by job_id for update")
                    .param("jobs", found.jobs.toArray(Long[]::new))
                    .query(_ -> {});
            removed =
                    jdbc.sql(
                                    """
                                    delete from import_row r
                                    where  (job_id, p, n) > (:job, :p, :n)
                                    and    (job_id, p, n) <= (:lastJob, :lastP, :lastN)
                                    and   \s"""
                                            + which)
                            .params(whose)
                            .param("pairs", pairs)
                            .param("paired", pairs)
                            .params(place("job", "p", "n", from))
                            .params(place("lastJob", "lastP", "lastN", found.last))
                            .update();
        }
        return new StagedRowResult(removed, found.rows < PAGE ? null : found.last);
    }

    private StagedRowBatch find(
            String which, Map<String, String> whose, Object pairs, String from) {
        return jdbc.sql(
                        """
                        with part as materialized (
                            select job_id, p, n, %s as is_meant
                            from   import_row r
                            where  (job_id, p, n) > (:job, :p, :n)
                            order  by job_id, p, n limit :page)
                        select count(*),
                               (select job_id || ' ' || p || ' ' || n from part
                                order  by job_id desc, p desc, n desc limit 1),
                               array_agg(distinct job_id) filter (where is_meant)
                        from   part
                        """
                                .formatted(which))
                .params(whose)
                .param("pairs", pairs)
                .param("paired", pairs)
                .params(place("job", "p", "n", from))
                .param("page", PAGE)
                .query(
                        (row, _) ->
                                new StagedRowBatch(
                                        row.getLong(1),
                                        row.getLong(1) == 0 ? from : row.getString(2),
                                        row.getArray(3) == null
                                                ? List.of()
                                                : List.of((Long[]) row.getArray(3).getArray())))
                .single();
    }

    private static Map<String, Long> place(String job, String p, String n, String place) {
        String[] parts = place.split(" ", 3);
        return Map.of(
                job, Long.valueOf(parts[0]), p, Long.valueOf(parts[1]), n, Long.valueOf(parts[2]));
    }
}
