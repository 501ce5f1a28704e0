package dev.ovation.ranking;

import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The steps of {@link Ranking} and {@link RankingDepth} on a divided Postgres: marks and counts are
 * of the shards, and the ranking is a table of the coordinator. A transaction that has taken a mark
 * reads the counts later, so it sees the change behind the mark.
 */
final class DividedRanking {

    private static final String TAKE_MARKS =
            """
            with seen as materialized (
                select ctid as mark, p, entity_no from changed_entity where true /*on p*/ limit ?
            ), taken as (
                delete from changed_entity
                where  ctid = any (array(select mark from seen)) /*on p*/
            )
            select p, entity_no, count(*) from seen group by p, entity_no
            """;

    private static final String TAKE_WAITING =
            """
            with <waited>
            select p, entity_no from waited
            """
                    .replace("<waited>", Ranking.WAITED);

    private static final String COUNTS =
            """
            select e.namespace, e.entity, x.name, c.count
            from   unnest(?, ?) as r (p, no)
            join   entity e on e.p = r.p and e.no = r.no /*on e.p*/
            left   join counter c on c.p = e.p /*on c.p*/ and c.entity_no = e.no
            left   join reaction_name x on x.no = c.reaction
            """;

    private static final String RANK =
            """
            with changed as materialized (
                select * from unnest(?, ?) as e (namespace, entity)
            ), counted as materialized (
                select * from unnest(?, ?, ?, ?) as c (namespace, entity, reaction, count)
            <ranked>
            select 1
            """
                    .replace("<ranked>", Ranking.RANKED);

    private final JdbcTemplate jdbc;
    private final Shards shards;

    DividedRanking(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
    }

    private record EntityNumber(int p, int no) {}

    private record EntityName(String namespace, String entity) {}

    private record RankedCount(EntityName entity, String reaction, long count) {}

    /**
     * Ranks some of the marked entities.
     *
     * @param batch entities at most
     * @param marks marks of each shard at most
     * @return whether there are more
     */
    boolean follow(int batch, int marks) {
        boolean more = takeMarks(marks);
        List<EntityNumber> waited =
                JdbcClient.create(jdbc)
                        .sql(TAKE_WAITING)
                        .param("batch", batch)
                        .query((row, _) -> new EntityNumber(row.getInt(1), row.getInt(2)))
                        .list();
        if (!waited.isEmpty()) {
            rank(waited);
        }
        return Boolean.TRUE.equals(
                        jdbc.queryForObject(
                                """
                                select waiting_no > 0 or exists (select from ranking_waiting)
                                from   ranking_state
                                """,
                                Boolean.class))
                || more;
    }

    private boolean takeMarks(int marks) {
        var taken = new ArrayList<EntityNumber>();
        var full = new boolean[1];
        shards.each(
                () -> {
                    var seen = new long[1];
                    jdbc.query(
                            Narrowed.sql(TAKE_MARKS),
                            row -> {
                                taken.add(new EntityNumber(row.getInt(1), row.getInt(2)));
                                seen[0] += row.getLong(3);
                            },
                            marks);
                    full[0] |= seen[0] == marks;
                });
        await(taken);
        return full[0];
    }

    private void await(Collection<EntityNumber> entities) {
        if (!entities.isEmpty()) {
            jdbc.update(
                    """
                    insert into ranking_waiting (p, entity_no) select * from unnest(?, ?)
                    on conflict do nothing
                    """,
                    Columns.ints(entities, EntityNumber::p),
                    Columns.ints(entities, EntityNumber::no));
        }
    }

    private void rank(List<EntityNumber> entities) {
        Set<EntityName> names = new LinkedHashSet<>();
        List<RankedCount> counts = new ArrayList<>();
        shards.each(
                entities,
                EntityNumber::p,
                some ->
                        jdbc.query(
                                Narrowed.sql(COUNTS),
                                row -> {
                                    var name = new EntityName(row.getString(1), row.getString(2));
                                    names.add(name);
                                    if (row.getString(3) != null) {
                                        counts.add(
                                                new RankedCount(
                                                        name, row.getString(3), row.getLong(4)));
                                    }
                                },
                                Columns.ints(some, EntityNumber::p),
                                Columns.ints(some, EntityNumber::no)));
        jdbc.query(
                RANK,
                _ -> {},
                Columns.texts(names, EntityName::namespace),
                Columns.texts(names, EntityName::entity),
                Columns.texts(counts, count -> count.entity.namespace),
                Columns.texts(counts, count -> count.entity.entity),
                Columns.texts(counts, RankedCount::reaction),
                Columns.longs(counts, RankedCount::count));
    }

    /** Adds the next entities of a namespace whose lists are filled up, or ends that. */
    void refill(int step) {
        List<EntityName> refill =
                jdbc.query(
                        "select namespace, entity from ranking_refill",
                        (row, _) -> new EntityName(row.getString(1), row.getString(2)));
        if (refill.isEmpty()) {
            return;
        }
        EntityName from = refill.getFirst();
        var last = new String[1];
        List<EntityNumber> next =
                jdbc.query(
                        """
                        select p, no, entity from entity
                        where  namespace = ? and entity > ?
                        order  by entity limit ?
                        """,
                        (row, _) -> {
                            last[0] = row.getString(3);
                            return new EntityNumber(row.getInt(1), row.getInt(2));
                        },
                        from.namespace,
                        from.entity,
                        step);
        if (next.isEmpty()) {
            jdbc.update(
                    """
                    update ranking_list set refill_count = 0, refill_entity = ''
                    where  namespace = ?
                    """,
                    from.namespace);
            jdbc.update("delete from ranking_refill");
        } else {
            await(next);
            jdbc.update("update ranking_refill set entity = ?", last[0]);
        }
    }
}
