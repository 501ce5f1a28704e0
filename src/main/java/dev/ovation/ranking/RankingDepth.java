package dev.ovation.ranking;

import dev.ovation.store.shard.Shards;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The number of places that each list keeps: {@value #DEPTH}. A list longer than twice that number
 * loses its lowest places. A list shorter than half of it is filled up again from the counters.
 * Meanwhile all shown places are right, but fewer are shown. The caller holds the lock of {@code
 * ranking_state}. Triggers count the length of each list.
 */
@Repository
class RankingDepth {

    /** Half of the greatest length of a list. */
    private static final long DEPTH = 10_000;

    /**
     * Entities that are marked at once; also the greatest number of rows that are dropped at once.
     */
    private static final int STEP = 5_000;

    static final String TRIM =
            """
            with longest as materialized (
                select namespace, reaction, greatest(:depth, size - :step) as kept
                from   ranking_list
                where  size > 2 * :depth
                order  by size desc limit 1
            ), lowest as materialized (
                select namespace, reaction, place.count, place.entity
                from   longest l cross join lateral (
                    select count, entity from ranking r
                    where  r.namespace = l.namespace and r.reaction = l.reaction
                    order  by count desc, entity desc offset l.kept - 1 limit 1) place
            ), dropped as (
                delete from ranking where ctid = any (array(
                    select r.ctid
                    from   lowest l join ranking r using (namespace, reaction)
                    where  (r.count, r.entity) < (l.count, l.entity)))
            )
            update ranking_list list
            set    floor_count = l.count, floor_entity = l.entity
            from   lowest l
            where  list.namespace = l.namespace and list.reaction = l.reaction
            """;

    /** Begins to fill up all short lists of one namespace; the shown places stay unchanged. */
    private static final String BEGIN =
            """
            with short as materialized (
                select namespace, reaction from ranking_list
                where  2 * size < :depth and floor_count > 0
                and    namespace = (select min(namespace) from ranking_list
                                    where  2 * size < :depth and floor_count > 0)
            ), lowered as (
                update ranking_list list
                set    refill_count = floor_count, refill_entity = floor_entity,
                       floor_count = 0, floor_entity = ''
                from   short
                where  list.namespace = short.namespace and list.reaction = short.reaction
            )
            insert into ranking_refill (namespace, entity) select distinct namespace, '' from short
            """;

    /** Marks the next entities, or ends when there are none: the previous ones have been ranked. */
    static final String GO_ON =
            """
            with next as materialized (
                select e.p, e.no, e.entity
                from   ranking_refill refill cross join lateral (
                    select p, no, entity from entity
                    where  namespace = refill.namespace and entity > refill.entity
                    order  by entity limit :step) e
            ), marked as (
                insert into changed_entity (p, entity_no) select p, no from next
            ), complete as (
                update ranking_list list set refill_count = 0, refill_entity = ''
                from   ranking_refill refill
                where  list.namespace = refill.namespace and not exists (select from next)
            ), gone as (
                delete from ranking_refill where not exists (select from next)
            )
            update ranking_refill set entity = (select max(entity) from next)
            where  exists (select from next)
            """;

    private final JdbcClient jdbc;
    private final Shards shards;
    private final DividedRanking divided;
    private final long depth;
    private final int step;

    @Autowired
    RankingDepth(JdbcTemplate jdbc, Shards shards) {
        this(jdbc, shards, DEPTH, STEP);
    }

    RankingDepth(JdbcTemplate jdbc, Shards shards, long depth, int step) {
        this.jdbc = JdbcClient.create(jdbc);
        this.shards = shards;
        this.divided = new DividedRanking(jdbc, shards);
        this.depth = depth;
        this.step = step;
    }

    /** Drops the lowest places of the longest list, if it is too long. */
    void trim() {
        jdbc.sql(TRIM).param("depth", depth).param("step", step).update();
    }

    /** Adds places to lists that are too short; requires that all marks have been taken. */
    void refill() {
        if (shards.areMany()) {
            divided.refill(step);
        } else {
            jdbc.sql(GO_ON).param("step", step).update();
        }
        if (jdbc.sql("select from ranking_refill").query().listOfRows().isEmpty()) {
            jdbc.sql(BEGIN).param("depth", depth).update();
        }
    }
}
