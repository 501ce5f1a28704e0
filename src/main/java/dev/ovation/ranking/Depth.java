package dev.ovation.ranking;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * How many places of each list are kept: what falls behind is dropped, and when too many have left,
 * the list is filled up again from the counters. All that is shown is right meanwhile, only fewer
 * are shown. Who calls this holds the lock of {@code ranking_state}.
 */
@Repository
class Depth {

    /** Entities that are marked at once, about every second. */
    private static final int STEP = 5_000;

    private static final String TRIM =
            """
            with longest as materialized (
                select namespace, reaction from ranking_list
                where  size > 2 * :depth
                order  by size desc limit 1
            ), lowest as materialized (
                select namespace, reaction, count, entity
                from   longest l cross join lateral (
                    select count, entity from ranking r
                    where  r.namespace = l.namespace and r.reaction = l.reaction
                    order  by count desc, entity desc offset :depth - 1 limit 1) kept
            ), dropped as (
                delete from ranking where ctid = any (array(
                    select place
                    from   lowest l cross join lateral (
                        select ctid as place from ranking r
                        where  r.namespace = l.namespace and r.reaction = l.reaction
                        and    (r.count, r.entity) < (l.count, l.entity)) below))
            )
            update ranking_list list
            set    size = :depth, floor_count = l.count, floor_entity = l.entity
            from   lowest l
            where  list.namespace = l.namespace and list.reaction = l.reaction
            """;

    /** All lists of one namespace that are short; what they show stays as it was. */
    private static final String BEGIN =
            """
            with short as materialized (
                select namespace, reaction,
                       namespace = min(namespace) over () as first
                from   ranking_list
                where  size < :depth / 2 and floor_count > 0
            ), lowered as (
                update ranking_list list
                set    refill_count = floor_count, refill_entity = floor_entity,
                       floor_count = 0, floor_entity = ''
                from   short
                where  list.namespace = short.namespace and list.reaction = short.reaction
                and    first
            )
            update ranking_state
            set    refill_namespace = (select min(namespace) from short), refill_entity = ''
            where  refill_namespace is null and exists (select from short)
            """;

    /** Marks the next entities, or ends when there are none: those before have been ranked. */
    private static final String GO_ON =
            """
            with next as (
                insert into changed_entity (namespace, entity)
                select e.namespace, e.entity
                from   ranking_state s join entity e on e.namespace = s.refill_namespace
                and    e.entity > s.refill_entity
                order  by e.entity limit :step
                returning entity
            ), complete as (
                update ranking_list set refill_count = 0, refill_entity = ''
                where  namespace = (select refill_namespace from ranking_state)
                and    not exists (select from next)
            )
            update ranking_state
            set    refill_entity = (select max(entity) from next),
                   refill_namespace = case when exists (select from next) then refill_namespace end
            where  refill_namespace is not null
            """;

    private final JdbcClient jdbc;
    private final int depth;
    private final int step;

    /**
     * Makes the rule.
     *
     * @param depth places that each list keeps at least, if there are as many; at least 1
     * @throws IllegalArgumentException when it would keep none
     */
    @Autowired
    Depth(JdbcTemplate jdbc, @Value("${ovation.ranking.depth}") int depth) {
        this(jdbc, depth, STEP);
    }

    Depth(JdbcTemplate jdbc, int depth, int step) {
        if (depth < 1) {
            throw new IllegalArgumentException("ovation.ranking.depth must be at least 1");
        }
        this.jdbc = JdbcClient.create(jdbc);
        this.depth = depth;
        this.step = step;
    }

    /**
     * Drops what is behind the places to be kept, of the list that is longest by far.
     *
     * @return whether there was one, so that there may be another
     */
    boolean trim() {
        return jdbc.sql(TRIM).param("depth", depth).update() > 0;
    }

    /** Looks for more places of lists that are too short; to be called when all marks are taken. */
    void refill() {
        boolean underWay = jdbc.sql(GO_ON).param("step", step).update() > 0;
        if (!underWay) {
            jdbc.sql(BEGIN).param("depth", depth).update();
        }
    }
}
