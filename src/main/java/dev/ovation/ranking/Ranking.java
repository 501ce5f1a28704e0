package dev.ovation.ranking;

import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Table {@code ranking}, which follows the counters of the entities that their changes marked in
 * {@code changed_entity}, as deep as {@link RankingDepth} says. A step takes more marks than it
 * ranks entities. The remaining entities wait in {@code ranking_waiting}, each once, and are ranked
 * in the cyclic order of their numbers. One instance at a time takes marks, or an older count could
 * overwrite a newer one.
 */
@Repository
class Ranking {

    /** Makes the ranking equal to {@code counted}, for the entities of {@code changed}. */
    static final String RANKED =
            """
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
            """;

    /**
     * Takes waiting entities in the order of their keys, from the place at which the last step
     * ended.
     */
    static final String WAITED =
            """
            waited as materialized (
                select w.ctid as mark, w.p, w.entity_no
                from   ranking_state s cross join lateral (
                    select ctid, p, entity_no from ranking_waiting
                    where  (p, entity_no) > (s.waiting_p, s.waiting_no)
                    order  by p, entity_no limit :batch) w
            ), last as (
                select p, entity_no from waited order by p desc, entity_no desc
                limit  case when (select count(*) from waited) = :batch then 1 else 0 end
            ), moved as (
                update ranking_state s
                set    waiting_p  = coalesce(l.p, 0),
                       waiting_no = coalesce(l.entity_no, 0)
                from   (select) always left join last l on true
                where  (s.waiting_p, s.waiting_no) <> (coalesce(l.p, 0), coalesce(l.entity_no, 0))
            ), ready as (
                delete from ranking_waiting where ctid = any (array(select mark from waited))
            )""";

    /**
     * One statement, so one snapshot: a transaction that sees a mark sees the change behind it. The
     * planner may estimate a few entities where there are many, so each look-up has an index. A
     * table without an index is joined in full, never row by row. Rows of one entity are stored
     * side by side, because they are read and updated together.
     */
    private static final String FOLLOW =
            """
            with seen as materialized (
                select ctid as mark, p, entity_no from changed_entity limit :marks
            ), taken as (
                delete from changed_entity where ctid = any (array(select mark from seen))
            ), <waited>, marked as materialized (
                select p, entity_no from seen except select p, entity_no from waited
            ), ranked as materialized (
                select p, entity_no from waited
                union all
                (select p, entity_no from marked
                 limit  :batch - (select count(*) from waited))
            ), left_waiting as (
                insert into ranking_waiting (p, entity_no)
                select p, entity_no from marked
                except
                select p, entity_no from ranked
                on conflict do nothing
                returning 1
            ), changed as materialized (
                select e.p, e.no, e.namespace, e.entity
                from   ranked r join entity e on e.p = r.p and e.no = r.entity_no
            ), counted as materialized (
                select e.namespace, e.entity, x.name as reaction, c.count
                from   changed e
                join   counter c on c.p = e.p and c.entity_no = e.no
                join   reaction_name x on x.no = c.reaction
            <ranked>
            select (select count(*) from seen) = :marks or (select count(*) from waited) = :batch
                   or exists (select from left_waiting)
                   or (select waiting_no > 0 from ranking_state)
            """
                    .replace("<waited>", WAITED)
                    .replace("<ranked>", RANKED);

    /**
     * The first places of a list. A list that is being filled up has gaps below the place at which
     * that began.
     */
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

    /** Marks of one entity that are taken together; an entity with many changes has many marks. */
    private static final int MARKS_OF_EACH = 20;

    private final JdbcClient jdbc;
    private final RankingDepth depth;
    private final Shards shards;
    private final DividedRanking divided;

    Ranking(JdbcTemplate jdbc, RankingDepth depth, Shards shards) {
        this.jdbc = JdbcClient.create(jdbc);
        this.depth = depth;
        this.shards = shards;
        this.divided = new DividedRanking(jdbc, shards);
    }

    /**
     * An entity at its place.
     *
     * @param count count of one reaction, or of all together
     */
    record Ranked(String entity, long count) {

        /** The place before all entities. */
        static final Ranked NONE = new Ranked("", Long.MAX_VALUE);
    }

    /**
     * A page of entities, highest counts first.
     *
     * @param asOf time up to which the page includes all committed changes
     */
    record Top(OffsetDateTime asOf, List<Ranked> entities) {}

    /**
     * Ranks some of the marked changes, unless another call did so just now or is doing so.
     *
     * @param batch entities at most
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
        int marks = batch * MARKS_OF_EACH;
        boolean more =
                shards.areMany()
                        ? divided.follow(batch, marks)
                        : jdbc.sql(FOLLOW)
                                .param("batch", batch)
                                .param("marks", marks)
                                .query(Boolean.class)
                                .single();
        if (!more) {
            jdbc.sql("update ranking_state set as_of = :now").param("now", now.get()).update();
            depth.refill();
        }
        depth.trim();
        return more;
    }

    /**
     * Returns the age, in seconds, of the latest moment up to which the ranking includes all
     * changes.
     */
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
     * @param reaction key of the counted reaction; empty for all together
     * @param from place after which the page begins
     * @param limit entities at most; fewer at the end of the list, which may have fewer places than
     *     there are entities, see {@link RankingDepth}
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
