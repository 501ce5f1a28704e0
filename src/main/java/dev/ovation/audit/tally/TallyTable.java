package dev.ovation.audit.tally;

import dev.ovation.audit.tally.EntityTally.CountedRows;
import dev.ovation.audit.tally.EntityTally.PartitionPosition;
import dev.ovation.audit.tally.EntityTally.Rows;
import dev.ovation.audit.tally.EntityTally.TallyHead;
import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** Counts the user reactions of entities anew, and sets their counters and people to the result. */
@Repository
public class TallyTable {

    /**
     * Rows that one statement counts, so that no statement takes long, whatever the size of the
     * entity.
     */
    static final int PAGE = 20_000;

    private final JdbcTemplate jdbc;
    private final Shards shards;

    /** Creates the statements on one server. */
    public TallyTable(JdbcTemplate jdbc, Shards shards) {
        this.shards = shards;
        this.jdbc = jdbc;
    }

    /** Reads and counts an entity, see {@link #read}. */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public EntityTally count(int p, EntityKey key, Collection<String> users) {
        return Objects.requireNonNull(read(p, key, users, _ -> true).tally());
    }

    /**
     * Reads and counts an entity in one snapshot, page by page. It locks nothing, so the bound on
     * other transactions does not hold here.
     *
     * @param users the users whose reactions are read as well
     * @param wanted receives the state of the entity, and returns whether to count it
     */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public TallyReading read(
            int p, EntityKey key, Collection<String> users, Predicate<PartitionPosition> wanted) {
        return shards.within(key, () -> readWithin(p, key, users, wanted));
    }

    private TallyReading readWithin(
            int p, EntityKey key, Collection<String> users, Predicate<PartitionPosition> wanted) {
        jdbc.query(
                """
                select set_config('transaction_timeout', '0', true)
                where  current_setting('server_version_num')::int >= 170000
                """,
                _ -> {});
        long[] cursor =
                jdbc.queryForObject(
                        "select epoch, applied_seq from partition where p = ?",
                        (row, _) -> new long[] {row.getLong(1), row.getLong(2)},
                        p);
        var place =
                new PartitionPosition(
                        cursor == null ? 0 : cursor[0], cursor == null ? 0 : cursor[1], head(key));
        if (!wanted.test(place)) {
            return new TallyReading(place, null);
        }
        return new TallyReading(
                place,
                new EntityTally(
                        place,
                        counters(key),
                        rows(key),
                        users.isEmpty() ? Map.of() : users(key, users)));
    }

    /**
     * The result of a read.
     *
     * @param tally null when the entity was not counted
     */
    public record TallyReading(PartitionPosition place, @Nullable EntityTally tally) {}

    /** Reads the row of an entity; null when there is none. */
    public @Nullable TallyHead head(EntityKey key) {
        var found =
                jdbc.query(
                        Narrowed.sql(
                                """
                        select version, last_op, last_at, people from entity
                        where  namespace = ? and entity = ? /*on p*/
                        """),
                        (row, _) ->
                                new TallyHead(
                                        row.getLong(1),
                                        row.getString(2),
                                        row.getLong(3),
                                        row.getLong(4)),
                        key.namespace(),
                        key.entity());
        return found.isEmpty() ? null : found.getFirst();
    }

    /**
     * Counts the rows of an entity; exact within a snapshot, or under the lock of its partition.
     */
    public CountedRows rows(EntityKey key) {
        var rows = new HashMap<String, Rows>();
        var people = new long[1];
        var page = new TallyPage(0, Long.MIN_VALUE);
        do {
            page = count(key, page, rows, people);
        } while (page != null);
        return new CountedRows(rows, people[0]);
    }

    /**
     * A place in the lists of an entity: after a time in the list of a reaction, which its number
     * names.
     */
    private record TallyPage(int reaction, long at) {}

    /**
     * Counts one page and returns its end; null for the last page. Rows of one time are on one
     * page. A user counts at the row of the first of their reactions, in the order of the numbers.
     */
    private @Nullable TallyPage count(
            EntityKey key, TallyPage after, Map<String, Rows> rows, long[] people) {
        var seen = new long[1];
        var last = new TallyPage[1];
        jdbc.query(
                Narrowed.sql(
                        """
                with page as materialized (
                    select r.reaction, r.reacted_at,
                           r.reaction = e.first or not exists (
                               select from user_reaction o
                               where  o.p = r.p /*on o.p*/ and o.user_id = r.user_id
                               and    o.entity_no = r.entity_no and o.reaction < r.reaction)
                           as is_first
                    from  (select p, no,
                                  (select reaction from user_reaction
                                   where  list_no(p, entity_no, reaction)
                                          between list_no(e.p, e.no, 0::smallint)
                                          and     list_no(e.p, e.no, 32767::smallint) /*on p*/
                                   order  by list_no(p, entity_no, reaction), reacted_at
                                   limit  1) as first
                           from   entity e
                           where  namespace = ? and entity = ? /*on p*/
                           offset 0) e
                    cross  join lateral (
                        select p, entity_no, reaction, user_id, reacted_at
                        from   user_reaction
                        where  (list_no(p, entity_no, reaction), reacted_at)
                               > (list_no(e.p, e.no, ?::smallint), ?)
                        and    list_no(p, entity_no, reaction)
                               <= list_no(e.p, e.no, 32767::smallint) /*on p*/
                        order  by list_no(p, entity_no, reaction), reacted_at
                        fetch  first ? rows with ties) r)
                select l.reaction, l.reacted_at,
                       x.name, count(*), min(p.reacted_at), max(p.reacted_at),
                       count(*) filter (where p.is_first)
                from   page p join reaction_name x on x.no = p.reaction
                cross  join (select reaction, reacted_at from page
                             order by reaction desc, reacted_at desc limit 1) l
                group  by 1, 2, 3
                """),
                row -> {
                    last[0] = new TallyPage(row.getInt(1), row.getLong(2));
                    var some = new Rows(row.getLong(4), row.getLong(5), row.getLong(6));
                    rows.merge(row.getString(3), some, Rows::plus);
                    seen[0] += some.count();
                    people[0] += row.getLong(7);
                },
                key.namespace(),
                key.entity(),
                after.reaction(),
                after.at(),
                PAGE);
        return seen[0] < PAGE ? null : last[0];
    }

    private Map<String, Counter> counters(EntityKey key) {
        var counters = new HashMap<String, Counter>();
        jdbc.query(
                Narrowed.sql(
                        """
                select x.name, c.count, c.first_at, c.last_at
                from   entity e
                join   counter c on c.p = e.p /*on c.p*/ and c.entity_no = e.no
                join   reaction_name x on x.no = c.reaction
                where  e.namespace = ? and e.entity = ? /*on e.p*/
                """),
                row -> {
                    counters.put(
                            row.getString(1),
                            new Counter(
                                    row.getString(1),
                                    row.getLong(2),
                                    row.getLong(3),
                                    row.getLong(4)));
                },
                key.namespace(),
                key.entity());
        return counters;
    }

    private Map<String, Set<String>> users(EntityKey key, Collection<String> users) {
        var found = new HashMap<String, Set<String>>();
        jdbc.query(
                Narrowed.sql(
                        """
                select r.user_id, x.name
                from   entity e
                join   user_reaction r on r.p = e.p /*on r.p*/ and r.entity_no = e.no
                join   reaction_name x on x.no = r.reaction
                where  e.namespace = ? and e.entity = ? /*on e.p*/ and r.user_id = any (?)
                """),
                row -> {
                    found.computeIfAbsent(row.getString(1), _ -> new HashSet<>())
                            .add(row.getString(2));
                },
                key.namespace(),
                key.entity(),
                Columns.texts(users, user -> user));
        return found;
    }

    /**
     * Sets the counters of an entity to the sums of its rows, and its people to their users. The
     * time when a count rose from 0 and the time of its last growth stay, unless the rows
     * contradict them. The partition must be locked.
     */
    public void store(EntityKey key, CountedRows counted) {
        var entries = counted.rows().entrySet();
        Object reactions = Columns.texts(entries, Map.Entry::getKey);
        jdbc.update(
                Narrowed.sql(
                        """
                        update entity set people = ?
                        where  namespace = ? and entity = ? and people <> ? /*on p*/
                        """),
                counted.people(),
                key.namespace(),
                key.entity(),
                counted.people());
        jdbc.update(
                Narrowed.sql(
                        """
                delete from counter c
                using  entity e, reaction_name x
                where  e.namespace = ? and e.entity = ? /*on e.p*/
                and    c.p = e.p /*on c.p*/ and c.entity_no = e.no and x.no = c.reaction
                and    x.name <> all (?)
                """),
                key.namespace(),
                key.entity(),
                reactions);
        jdbc.update(
                Narrowed.sql(
                        """
                insert into counter as c (p, entity_no, reaction, count, first_at, last_at)
                select e.p, e.no, x.no, k.count, k.first_at, k.last_at
                from   unnest(?, ?, ?, ?) as k (name, count, first_at, last_at)
                join   reaction_name x using (name)
                cross  join entity e
                where  e.namespace = ? and e.entity = ? /*on e.p*/
                on conflict (p, entity_no, reaction) do update
                set    count    = excluded.count,
                       first_at = least(c.first_at, excluded.first_at),
                       last_at  = greatest(c.last_at, excluded.last_at)
                where  c.count    <> excluded.count
                or     c.first_at >  excluded.first_at
                or     c.last_at  <  excluded.last_at
                """),
                reactions,
                Columns.longs(entries, entry -> entry.getValue().count()),
                Columns.longs(entries, entry -> entry.getValue().firstAt()),
                Columns.longs(entries, entry -> entry.getValue().lastAt()),
                key.namespace(),
                key.entity());
    }
}
