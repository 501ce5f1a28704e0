package dev.ovation.store;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Repository;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tables {@code user_reaction} and {@code counter}, and the people of {@code entity}: the reactions
 * of users, their counts, and the number of these users. Both numbers change by the rows that were
 * inserted and deleted, so that they equal the rows at every commit. No statement may name a key
 * twice.
 */
@Repository
public class ReactionTables {

    private static final String REMEMBER =
            """
            insert into removal as r (period, p, entity_no, reaction, user_id, removed_at)
            select (select max(period) from removal_period),
                   p, entity_no, reaction, user_id, at
            from   taken
            on conflict (p, user_id, entity_no, reaction, period)
            do update set removed_at = greatest(r.removed_at, excluded.removed_at)
            """;

    private static final String DELETE =
            """
            delete from user_reaction r
            using  taken k
            where  r.p = k.p /*on r.p*/ and r.user_id = k.user_id
            and    r.entity_no = k.entity_no and r.reaction = k.reaction
            returning r.p, r.entity_no, r.reaction, r.user_id
            """;

    private static final String TAKEN =
            """
            with taken as (
                select * from unnest(?, ?, ?, ?, ?) as k (p, entity_no, reaction, user_id, at)
            )
            """;

    private static final String REMEMBER_AND_DELETE =
            TAKEN + ", remembered as (" + REMEMBER + ") " + DELETE;

    private final JdbcTemplate jdbc;
    private final Shards shards;
    private final ReactionNames names;

    ReactionTables(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
        this.names = new ReactionNames(jdbc);
    }

    /** One reaction of one user on one entity. */
    public record UserReaction(EntityKey key, String user, String reaction) {}

    /** The key of a counter. */
    public record CounterKey(EntityKey key, String reaction) {}

    /** The times of a counter after a batch, in microseconds since 1970. */
    public record CounterTimes(long firstAt, long lastAt) {}

    /** A counter, by its numbers. */
    private record CounterNumber(int p, int entity, int reaction) {}

    /** A user on an entity, by its number. */
    private record Person(int p, int entity, String user) {}

    /** Rows that were inserted, less those that were deleted. */
    private record RowChanges(Map<CounterNumber, Long> counters, Map<Person, Long> people) {
        RowChanges() {
            this(new HashMap<>(), new HashMap<>());
        }

        RowCallbackHandler collect(long step) {
            return row -> {
                counters.merge(counter(row), step, Long::sum);
                people.merge(
                        new Person(row.getInt(1), row.getInt(2), row.getString(4)),
                        step,
                        Long::sum);
            };
        }
    }

    private record CounterChange(CounterNumber counter, long delta, CounterTimes times) {}

    /** Gives numbers to those of these reactions that have none; see {@link ReactionNames}. */
    public void number(Collection<String> reactions, Numbers numbers) {
        if (!numbers.reactions().keySet().containsAll(reactions)) {
            numbers.reactions().putAll(names.numbers(reactions));
        }
    }

    /**
     * Applies the net effect of a batch.
     *
     * @param numbers numbers of all entities and of all added or touched reactions
     * @param removed rows to delete, including those that are added again, with the times of their
     *     removal in microseconds, which stay in table {@code removal}
     * @param added rows to insert, with their times in microseconds
     * @param forms the forms of inserted rows that have one: the emoji with its skin tones
     * @param touched the times of every counter that the batch touched
     */
    public void apply(
            Numbers numbers,
            Map<UserReaction, Long> removed,
            Map<UserReaction, Long> added,
            Map<UserReaction, String> forms,
            Map<CounterKey, CounterTimes> touched) {
        var changes = new RowChanges();
        var there = new LinkedHashMap<>(removed);
        there.keySet().removeIf(row -> !numbers.reactions().containsKey(row.reaction()));
        if (!there.isEmpty()) {
            delete(numbers, there, changes);
        }
        if (!added.isEmpty()) {
            insert(numbers, added, forms, changes);
        }
        if (!touched.isEmpty() || !changes.counters.isEmpty()) {
            var times = new LinkedHashMap<CounterNumber, CounterTimes>();
            touched.forEach((counter, its) -> times.put(number(numbers, counter), its));
            count(times, changes.counters);
        }
        changes.people.values().removeIf(step -> step == 0);
        if (!changes.people.isEmpty()) {
            countPeople(changes.people);
        }
    }

    private void delete(Numbers numbers, Map<UserReaction, Long> rows, RowChanges changes) {
        if (shards.areMany()) {
            jdbc.update(TAKEN + REMEMBER, columns(numbers, rows));
        }
        jdbc.query(
                Narrowed.sql(shards.areMany() ? TAKEN + DELETE : REMEMBER_AND_DELETE),
                changes.collect(-1),
                columns(numbers, rows));
    }

    private void insert(
            Numbers numbers,
            Map<UserReaction, Long> rows,
            Map<UserReaction, String> forms,
            RowChanges changes) {
        Object[] columns = Arrays.copyOf(columns(numbers, rows), 6);
        columns[5] = Columns.texts(rows.keySet(), forms::get);
        jdbc.query(
                """
                insert into user_reaction (p, entity_no, reaction, user_id, reacted_at, form)
                select * from unnest(?, ?, ?, ?, ?, ?)
                on conflict do nothing
                returning p, entity_no, reaction, user_id
                """,
                changes.collect(1),
                columns);
    }

    private static Object[] columns(Numbers numbers, Map<UserReaction, Long> times) {
        var rows = times.keySet();
        return new Object[] {
            Columns.ints(rows, row -> numbers.of(row.key()).p()),
            Columns.ints(rows, row -> numbers.of(row.key()).no()),
            Columns.ints(rows, row -> numbers.of(row.reaction())),
            Columns.texts(rows, UserReaction::user),
            Columns.longs(times.values(), Long::longValue)
        };
    }

    private void count(Map<CounterNumber, CounterTimes> touched, Map<CounterNumber, Long> deltas) {
        if (!touched.keySet().containsAll(deltas.keySet())) {
            throw new IllegalArgumentException("rows changed of a counter that was not touched");
        }
        var changes = new ArrayList<CounterChange>();
        touched.forEach(
                (counter, times) ->
                        changes.add(
                                new CounterChange(
                                        counter, deltas.getOrDefault(counter, 0L), times)));
        Map<CounterNumber, Long> counted = updateCounters(changes);
        changes.removeIf(change -> change.delta() == 0 || counted.containsKey(change.counter()));
        if (!changes.isEmpty()) {
            insertCounters(changes);
        }
        counted.values().removeIf(count -> count != 0);
        if (!counted.isEmpty()) {
            deleteCounters(counted.keySet());
        }
    }

    private Map<CounterNumber, Long> updateCounters(List<CounterChange> changes) {
        var counted = new HashMap<CounterNumber, Long>();
        jdbc.query(
                Narrowed.sql(
                        """
                update counter c
                set    count    = c.count + k.delta,
                       first_at = k.first_at,
                       last_at  = k.last_at
                from   unnest(?, ?, ?, ?, ?, ?)
                       as k (p, entity_no, reaction, delta, first_at, last_at)
                where  c.p = k.p /*on c.p*/
                and    c.entity_no = k.entity_no and c.reaction = k.reaction
                returning c.p, c.entity_no, c.reaction, c.count
                """),
                row -> {
                    counted.put(counter(row), row.getLong(4));
                },
                columns(changes));
        return counted;
    }

    private void insertCounters(List<CounterChange> changes) {
        jdbc.update(
                """
                insert into counter (p, entity_no, reaction, count, first_at, last_at)
                select * from unnest(?, ?, ?, ?, ?, ?)
                """,
                columns(changes));
    }

    private void deleteCounters(Collection<CounterNumber> counters) {
        deleteEmptyCounters(
                jdbc,
                Columns.ints(counters, CounterNumber::p),
                Columns.ints(counters, CounterNumber::entity),
                Columns.ints(counters, CounterNumber::reaction));
    }

    /**
     * Deletes those counters that have become 0.
     *
     * @param p the partitions of the counters, as {@link Columns} makes them
     * @param entities their numbers of entities, in the same order
     * @param reactions their numbers of reactions, in the same order
     */
    public static void deleteEmptyCounters(
            JdbcTemplate jdbc, Object p, Object entities, Object reactions) {
        jdbc.update(
                Narrowed.sql(
                        """
                        delete from counter c
                        using  unnest(?, ?, ?) as k (p, entity_no, reaction)
                        where  c.p = k.p /*on c.p*/
                        and    c.entity_no = k.entity_no and c.reaction = k.reaction
                        and    c.count = 0
                        """),
                p,
                entities,
                reactions);
    }

    private static Object[] columns(List<CounterChange> changes) {
        return new Object[] {
            Columns.ints(changes, change -> change.counter().p()),
            Columns.ints(changes, change -> change.counter().entity()),
            Columns.ints(changes, change -> change.counter().reaction()),
            Columns.longs(changes, CounterChange::delta),
            Columns.longs(changes, change -> change.times().firstAt()),
            Columns.longs(changes, change -> change.times().lastAt())
        };
    }

    /** A user with no other rows than the new ones is new, and one without any row is gone. */
    private void countPeople(Map<Person, Long> steps) {
        jdbc.update(
                Narrowed.sql(
                        """
                update entity e
                set    people = e.people + d.delta
                from  (select k.p, k.entity_no, sum(case when k.step > 0 then 1 else -1 end)::integer as delta
                       from   unnest(?, ?, ?, ?) as k (p, entity_no, user_id, step)
                       where  (select count(*) from user_reaction r
                               where  r.p = k.p /*on r.p*/ and r.user_id = k.user_id
                               and    r.entity_no = k.entity_no) = greatest(k.step, 0)
                       group  by k.p, k.entity_no) d
                where  e.p = d.p /*on e.p*/ and e.no = d.entity_no
                """),
                Columns.ints(steps.keySet(), Person::p),
                Columns.ints(steps.keySet(), Person::entity),
                Columns.texts(steps.keySet(), Person::user),
                Columns.longs(steps.values(), Long::longValue));
    }

    private static CounterNumber counter(ResultSet row) throws SQLException {
        return new CounterNumber(row.getInt(1), row.getInt(2), row.getInt(3));
    }

    private static CounterNumber number(Numbers numbers, CounterKey counter) {
        var entity = numbers.of(counter.key());
        return new CounterNumber(entity.p(), entity.no(), numbers.of(counter.reaction()));
    }
}
