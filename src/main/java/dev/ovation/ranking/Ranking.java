package dev.ovation.ranking;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Table {@code ranking}, which follows the counters of the entities that their changes marked in
 * {@code changed_entity}, as deep as {@link Depth} says. A step takes more marks than it ranks
 * entities: those that are left wait in {@code ranking_waiting}, each once, and are looked at in
 * the order of their keys, round and round. One instance at a time takes marks, or an older count
 * could overwrite a newer one.
 */
@Repository
class Ranking {

    /**
     * In one statement, so of one snapshot: who sees a mark sees what it stands for. What the
     * planner takes for a few entities may be many, so whatever is looked up has an index; what has
     * none is joined in full, which is never done row by row. Rows of one entity are put side by
     * side, for they are found and updated together.
     */
    private static final String FOLLOW =
            """
            with seen as materialized (
                select ctid as mark, namespace, entity from changed_entity limit :marks
            ), taken as (
                delete from changed_entity where ctid = any (array(select mark from seen))
            ), waited as materialized (
                select w.ctid as mark, w.namespace, w.entity
                from   ranking_state s cross join lateral (
                    select ctid, namespace, entity from ranking_waiting
                    where  (namespace, entity) > (s.waiting_namespace, s.waiting_entity)
                    order  by namespace, entity limit :batch) w
            ), last as (
                select namespace, entity from waited order by namespace desc, entity desc
                limit  case when (select count(*) from waited) = :batch then 1 else 0 end
            ), moved as (
                update ranking_state s
                set    waiting_namespace = coalesce(l.namespace, ''),
                       waiting_entity    = coalesce(l.entity, '')
                from   (select) always left join last l on true
                where  s.waiting_entity <> coalesce(l.entity, '')
                or     s.waiting_namespace <> coalesce(l.namespace, '')
            ), ready as (
                delete from ranking_waiting where ctid = any (array(select mark from waited))
            ), marked as materialized (
                select namespace, entity from seen except select namespace, entity from waited
            ), changed as materialized (
                select namespace, entity from waited
                union all
                (select namespace, entity from marked
                 limit  :batch - (select count(*) from waited))
            ), left_waiting as (
                insert into ranking_waiting (namespace, entity)
                select namespace, entity from marked
                except
                select namespace, entity from changed
                on conflict do nothing
                returning 1
            ), counted as materialized (
                select c.namespace, c.entity, c.reaction, c.count
                from   changed join counter c using (namespace, entity)
            ), all_counted as materialized (
                select namespace, entity, reaction, count from counted
                union all
                select namespace, entity, '', sum(count)::bigint from counted
                group  by namespace, entity
            ), wanted as materialized (
                select namespace, entity, reaction, count
                from   all_counted left join ranking_list using (namespace, reaction)
                where  floor_count is null or (count, entity) >= (floor_count, floor_entity)
            ), held as materialized (
                select r.namespace, r.entity, r.reaction, r.count, r.ctid as place
                from   changed join ranking r using (namespace, entity)
            ), differing as materialized (
                select namespace, entity, reaction, wanted.count, held.place
                from   wanted full join held using (namespace, entity, reaction)
                where  wanted.count is distinct from held.count
            ), gone as (
                delete from ranking
                where  ctid = any (array(select place from differing where count is null))
            ), put as (
                insert into ranking (namespace, entity, reaction, count)
                select namespace, entity, reaction, count from differing where count is not null
                order  by namespace, entity
                on conflict (namespace, entity, reaction) do update set count = excluded.count
            )
            select (select count(*) from seen) = :marks or (select count(*) from waited) = :batch
                   or exists (select from left_waiting)
                   or (select waiting_entity <> '' from ranking_state)
            """;

    /** A list that is filled up has gaps below the place from which it is. */
    static final String TOP =
            """
            select s.as_of, r.entity, r.count
            from   ranking_state s left join lateral (
                select entity, count
                from   ranking join ranking_list l using (namespace, reaction)
                where  namespace = :namespace and reaction = :reaction
                and    (count, entity) < (:count, :entity)
                and    (count, entity) >= (l.refill_count, l.refill_entity)
                order  by count desc, entity desc
                limit  :page) r on true
            order  by r.count desc, r.entity desc
            """;

    /** What is hot has many marks, which are taken together. */
    private static final int MARKS_OF_EACH = 20;

    private final JdbcClient jdbc;
    private final Depth depth;

    Ranking(JdbcTemplate jdbc, Depth depth) {
        this.jdbc = JdbcClient.create(jdbc);
        this.depth = depth;
    }

    /**
     * An entity in its place.
     *
     * @param count of one reaction, or of all together
     */
    record Ranked(String entity, long count) {

        /** Before all that there is. */
        static final Ranked NONE = new Ranked("", Long.MAX_VALUE);
    }

    /**
     * The entities of a page, highest counts first.
     *
     * @param asOf all changes that were committed by then are in it
     */
    record Top(OffsetDateTime asOf, List<Ranked> entities) {}

    /**
     * Takes in some of the changes that were marked, unless that was just done or is being done.
     *
     * @param batch how many entities at most
     * @return whether there are more
     */
    @Transactional
    public boolean follow(int batch) {
        var now =
                jdbc.sql(
                                """
                                select clock_timestamp()
                                from   ranking_state
                                where  as_of < clock_timestamp() - interval '900 ms'
                                for    update skip locked
                                """)
                        .query(OffsetDateTime.class)
                        .optional();
        if (now.isEmpty()) {
            return false;
        }
        boolean more =
                jdbc.sql(FOLLOW)
                        .param("batch", batch)
                        .param("marks", batch * MARKS_OF_EACH)
                        .query(Boolean.class)
                        .single();
        if (!more) {
            jdbc.sql("update ranking_state set as_of = :now").param("now", now.get()).update();
            depth.refill();
        }
        depth.trim();
        return more;
    }

    /** How long ago, in seconds, the moment was all of whose changes are in the ranking. */
    double age() {
        return jdbc.sql(
                        """
                        select extract(epoch from clock_timestamp() - as_of)::double precision
                        from   ranking_state
                        """)
                .query(Double.class)
                .single();
    }

    /**
     * Reads a page.
     *
     * @param reaction key of the reaction that is counted; empty for all together
     * @param from behind which one
     * @param limit how many at most; fewer where the list ends, which may have fewer places than
     *     there are entities, see {@link Depth}
     */
    Top top(String namespace, String reaction, Ranked from, int limit) {
        var entities = new ArrayList<Ranked>();
        var asOf = new ArrayList<OffsetDateTime>();
        jdbc.sql(TOP)
                .param("namespace", namespace)
                .param("reaction", reaction)
                .param("count", from.count)
                .param("entity", from.entity)
                .param("page", limit)
                .query(
                        row -> {
                            asOf.add(row.getObject(1, OffsetDateTime.class));
                            if (row.getString(2) != null) {
                                entities.add(new Ranked(row.getString(2), row.getLong(3)));
                            }
                        });
        return new Top(asOf.getFirst(), entities);
    }
}
