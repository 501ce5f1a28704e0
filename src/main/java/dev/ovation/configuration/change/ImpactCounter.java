package dev.ovation.configuration.change;

import dev.ovation.configuration.change.ChangedNamespace.ExclusivePair;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The statements that count. They read either whole tables, or a sample that is bounded by its
 * rows: the newest entities, and the first users, of each partition.
 */
final class ImpactCounter {

    private static final String ENTITIES = "entity";
    private static final String REACTIONS = "user_reaction";

    private static final String SAMPLED_ENTITIES =
            """
            (select s.* from partition x cross join lateral
               (select * from entity s where s.p = x.p /*on s.p*/
                order  by s.no desc limit 200) s
             where true /*on x.p*/)
            """;

    private static final String SAMPLED_REACTIONS =
            """
            (select s.* from partition x cross join lateral
               (select * from user_reaction s where s.p = x.p /*on s.p*/
                order  by s.user_id, s.entity_no, s.reaction limit 500) s
             where true /*on x.p*/)
            """;

    private final JdbcTemplate jdbc;
    private final Shards shards;
    private final boolean exact;

    /** Creates a counter of whole tables, or of samples. */
    ImpactCounter(JdbcTemplate jdbc, Shards shards, boolean exact) {
        this.jdbc = jdbc;
        this.shards = shards;
        this.exact = exact;
    }

    /** Numbers of a namespace. */
    record ImpactNumbers(
            String namespace, long entities, long users, long reactions, boolean exact) {

        private ImpactNumbers times(double factor, boolean exactly) {
            return new ImpactNumbers(
                    namespace,
                    Math.round(entities * factor),
                    Math.round(users * factor),
                    Math.round(reactions * factor),
                    exactly);
        }

        private ImpactNumbers plus(ImpactNumbers other) {
            return new ImpactNumbers(
                    namespace,
                    entities + other.entities,
                    users + other.users,
                    reactions + other.reactions,
                    exact);
        }
    }

    /** Returns the reactions that users have given in these namespaces. */
    List<GivenKind> given(Collection<String> namespaces) {
        double factor = entityFactor();
        return merged(
                rows(
                        """
                        select e.namespace, x.name, x.no, count(*), sum(c.count)::bigint
                        from   %s e
                        join   counter c
                               on c.p = e.p /*on c.p*/ and c.entity_no = e.no and c.count > 0
                        join   reaction_name x on x.no = c.reaction
                        where  e.namespace = any (?)
                        group  by e.namespace, x.name, x.no
                        order  by e.namespace, sum(c.count) desc, x.name
                        """
                                .formatted(entities()),
                        (row, _) ->
                                new GivenKind(
                                        row.getString(1),
                                        row.getString(2),
                                        row.getInt(3),
                                        Math.round(row.getLong(4) * factor),
                                        Math.round(row.getLong(5) * factor)),
                        Columns.texts(namespaces)));
    }

    /** Adds what several shards have given; the first of them determines the order. */
    private static List<GivenKind> merged(List<GivenKind> given) {
        var sums = new LinkedHashMap<List<String>, GivenKind>();
        for (GivenKind one : given) {
            sums.merge(List.of(one.namespace(), one.key()), one, GivenKind::plus);
        }
        return List.copyOf(sums.values());
    }

    /** Asks all shards together about whole tables, and each for its sample. */
    private <T> List<T> rows(String sql, RowMapper<T> rows, Object... arguments) {
        if (exact) {
            return jdbc.query(sql, rows, arguments);
        }
        var found = new ArrayList<T>();
        shards.each(() -> found.addAll(jdbc.query(Narrowed.sql(sql), rows, arguments)));
        return found;
    }

    /** Returns for each namespace the number of entities with reactions. */
    List<ImpactNumbers> held(Collection<String> namespaces) {
        return counts(
                entityFactor(),
                """
                select e.namespace, count(*), 0::bigint, 0::bigint
                from   %s e
                where  e.namespace = any (?) and e.people > 0
                group  by e.namespace
                """
                        .formatted(entities()),
                Columns.texts(namespaces));
    }

    /**
     * Returns how many entities show too many kinds.
     *
     * @param counted the numbers of the kinds that use up a place, with their namespace
     * @param tightened the namespaces with their new limits
     */
    List<ImpactNumbers> overLimit(List<CountedKind> counted, List<ChangedNamespace> tightened) {
        return counts(
                entityFactor(),
                """
                select k.namespace, count(*), 0::bigint, sum(k.total)::bigint
                from  (select e.namespace, count(*) as kinds, sum(c.count) as total
                       from   %s e
                       join   counter c
                              on c.p = e.p /*on c.p*/ and c.entity_no = e.no and c.count > 0
                       join   unnest(?, ?) as counted (namespace, reaction)
                              on counted.namespace = e.namespace and counted.reaction = c.reaction
                       group  by e.namespace, e.p, e.no) k
                join   unnest(?, ?) as bound (namespace, most) on bound.namespace = k.namespace
                where  k.kinds > bound.most
                group  by k.namespace
                """
                        .formatted(entities()),
                Columns.texts(counted, CountedKind::namespace),
                Columns.ints(counted, CountedKind::no),
                Columns.texts(tightened, ChangedNamespace::id),
                Columns.ints(tightened, each -> each.rulesAfter().maxUniqReactions()));
    }

    /** A kind of reactions of a namespace, by its number. */
    record CountedKind(String namespace, int no) {}

    /**
     * Returns how many users have reactions on an entity that newly exclude each other. Users with
     * one reaction of their own are left out early, because most have only one.
     */
    List<ImpactNumbers> exclusive(List<ExclusivePair> pairs) {
        return counts(
                reactionFactor(),
                """
                with pair as materialized (
                  select * from unnest(?, ?, ?) as pair (namespace, a, b)
                ),
                own as materialized (
                  select e.namespace, r.p, r.entity_no, r.user_id, array_agg(r.reaction) as reactions
                  from   %s r
                  join   entity e on e.p = r.p /*on e.p*/ and e.no = r.entity_no
                  join  (select distinct namespace, a from pair) member
                         on member.namespace = e.namespace and member.a = r.reaction
                  group  by e.namespace, r.p, r.entity_no, r.user_id
                  having count(*) > 1
                ),
                clash as (
                  select distinct own.namespace, own.p, own.entity_no, own.user_id, mine.reaction
                  from   own
                  cross  join unnest(own.reactions) as mine (reaction)
                  cross  join unnest(own.reactions) as other (reaction)
                  join   pair on pair.namespace = own.namespace
                         and pair.a = mine.reaction and pair.b = other.reaction
                )
                select namespace, count(distinct (p, entity_no)), count(distinct user_id), count(*)
                from   clash
                group  by namespace
                """
                        .formatted(exact ? REACTIONS : SAMPLED_REACTIONS),
                Columns.texts(pairs, ExclusivePair::namespace),
                Columns.ints(pairs, ExclusivePair::a),
                Columns.ints(pairs, ExclusivePair::b));
    }

    private List<ImpactNumbers> counts(double factor, String sql, Object... arguments) {
        var sums = new LinkedHashMap<String, ImpactNumbers>();
        for (ImpactNumbers one :
                rows(
                        sql,
                        (row, _) ->
                                new ImpactNumbers(
                                        row.getString(1),
                                        row.getLong(2),
                                        row.getLong(3),
                                        row.getLong(4),
                                        exact),
                        arguments)) {
            sums.merge(one.namespace, one, ImpactNumbers::plus);
        }
        return sums.values().stream().map(one -> one.times(factor, exact)).toList();
    }

    private String entities() {
        return exact ? ENTITIES : SAMPLED_ENTITIES;
    }

    /** Returns how many entities there are for each one of the sample. */
    private double entityFactor() {
        return exact
                ? 1
                : factor(
                        sum(
                                """
                                select coalesce(sum(size), 0)::bigint
                                from   partition x cross join lateral
                                      (select max(e.no) as size from entity e
                                       where  e.p = x.p /*on e.p*/) s
                                where  true /*on x.p*/
                                """),
                        SAMPLED_ENTITIES);
    }

    /**
     * Returns how many reactions there are for each one of the sample, by Postgres's statistics.
     */
    private double reactionFactor() {
        if (exact) {
            return 1;
        }
        long all =
                shards.areMany()
                        ? shards.estimatedRows(REACTIONS)
                        : sum(
                                """
                                select reltuples::bigint from pg_class
                                where  oid = 'user_reaction'::regclass
                                """);
        return factor(all, SAMPLED_REACTIONS);
    }

    private double factor(long all, String sample) {
        return Math.max(
                1, (double) all / Math.max(1, sum("select count(*) from %s s".formatted(sample))));
    }

    private long sum(String sql) {
        return rows(sql, (row, _) -> row.getLong(1)).stream().mapToLong(Long::longValue).sum();
    }
}
