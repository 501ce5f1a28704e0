package dev.ovation.ranking;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * How many places of each list are kept, by the setting {@code ovation.ranking.depth}: of one that
 * is longer than twice that the lowest are dropped, and one that is shorter than half of it is
 * filled up again from the counters. Whatever is shown is right meanwhile, only fewer are shown.
 * Who calls this holds the lock of {@code ranking_state}. How long each list is, and that nothing
 * comes in below its floor, triggers see to.
 */
@Repository
class Depth {

    /** Entities that are marked at once; at most that many rows are dropped at once, too. */
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

    /** All lists of one namespace that are short; what they show stays as it was. */
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

    /** Marks the next entities, or ends when there are none: those before have been ranked. */
    static final String GO_ON =
            """
            with next as (
                insert into changed_entity (namespace, entity)
                select e.namespace, e.entity
                from   ranking_refill refill cross join lateral (
                    select namespace, entity from entity
                    where  namespace = refill.namespace and entity > refill.entity
                    order  by entity limit :step) e
                returning entity
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
    private final long depth;
    private final int step;

    /**
     * Makes the rule.
     *
     * @param depth half of how long a list may become; at least 1
     * @throws IllegalArgumentException when there would be none
     */
    @Autowired
    Depth(JdbcTemplate jdbc, @Value("${ovation.ranking.depth}") long depth) {
        this(jdbc, depth, STEP);
    }

    Depth(JdbcTemplate jdbc, long depth, int step) {
        if (depth < 1) {
            throw new IllegalArgumentException("ovation.ranking.depth must be at least 1");
        }
        this.jdbc = JdbcClient.create(jdbc);
        this.depth = depth;
        this.step = step;
    }

    /** Drops the lowest places of the list that is longest, if it is too long. */
    void trim() {
        jdbc.sql(TRIM).param("depth", depth).param("step", step).update();
    }

    /** Looks for more places of lists that are too short; to be called when all marks are taken. */
    void refill() {
        jdbc.sql(GO_ON).param("step", step).update();
        if (jdbc.sql("select from ranking_refill").query().listOfRows().isEmpty()) {
            jdbc.sql(BEGIN).param("depth", depth).update();
        }
    }
}
