package dev.ovation.store;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.store.Tally.Head;
import dev.ovation.store.Tally.Place;
import dev.ovation.store.Tally.Rows;

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

/** Counts the user reactions of entities anew, and makes their counters equal to that. */
@Repository
public class Tallies {

    /** Rows that one statement counts, so that none takes long, however crowded the entity is. */
    static final int PAGE = 20_000;

    private final JdbcTemplate jdbc;

    Tallies(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Reads and counts an entity, see {@link #read}. */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public Tally count(int p, EntityKey key, Collection<String> users) {
        return Objects.requireNonNull(read(p, key, users, _ -> true).tally());
    }

    /**
     * Reads and counts an entity in one snapshot and page by page. It may take as long as that
     * takes, because it locks nothing; so the bound of other transactions does not hold.
     *
     * @param users whose reactions are wanted too
     * @param wanted is told where the entity stands, and says whether it is to be counted
     */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public Reading read(int p, EntityKey key, Collection<String> users, Predicate<Place> wanted) {
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
                new Place(
                        cursor == null ? 0 : cursor[0], cursor == null ? 0 : cursor[1], head(key));
        if (!wanted.test(place)) {
            return new Reading(place, null);
        }
        return new Reading(
                place,
                new Tally(
                        place,
                        counters(key),
                        rows(key),
                        users.isEmpty() ? Map.of() : users(key, users)));
    }

    /**
     * What was read of an entity.
     *
     * @param tally null when it was not to be counted
     */
    public record Reading(Place place, @Nullable Tally tally) {}

    /** Reads the row of an entity; null when there is none. */
    public @Nullable Head head(EntityKey key) {
        var found =
                jdbc.query(
                        """
                        select version, last_op, last_at from entity
                        where  namespace = ? and entity = ?
                        """,
                        (row, _) -> new Head(row.getLong(1), row.getString(2), row.getLong(3)),
                        key.namespace(),
                        key.entity());
        return found.isEmpty() ? null : found.getFirst();
    }

    /** Counts the rows of an entity; exact within a snapshot, or under its partition's lock. */
    public Map<String, Rows> rows(EntityKey key) {
        var rows = new HashMap<String, Rows>();
        var page = new Page("", "");
        do {
            page = count(key, page, rows);
        } while (page != null);
        return rows;
    }

    private record Page(String user, String reaction) {}

    /** Counts one page and returns where it ends; null when it is the last. */
    private @Nullable Page count(EntityKey key, Page after, Map<String, Rows> rows) {
        var seen = new long[1];
        var last = new Page[1];
        jdbc.query(
                """
                with page as materialized (
                    select user_id, reaction, reacted_at
                    from   user_reaction
                    where  namespace = ? and entity = ? and (user_id, reaction) > (?, ?)
                    order  by user_id, reaction
                    limit  ?)
                select l.user_id, l.reaction, p.reaction, count(*), min(reacted_at), max(reacted_at)
                from   page p cross join (select user_id, reaction from page
                                          order by user_id desc, reaction desc limit 1) l
                group  by 1, 2, 3
                """,
                row -> {
                    last[0] = new Page(row.getString(1), row.getString(2));
                    var some = new Rows(row.getLong(4), row.getLong(5), row.getLong(6));
                    rows.merge(row.getString(3), some, Rows::plus);
                    seen[0] += some.count();
                },
                key.namespace(),
                key.entity(),
                after.user(),
                after.reaction(),
                PAGE);
        return seen[0] < PAGE ? null : last[0];
    }

    private Map<String, Counter> counters(EntityKey key) {
        var counters = new HashMap<String, Counter>();
        jdbc.query(
                """
                select reaction, count, first_at, last_at from counter
                where  namespace = ? and entity = ?
                """,
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
                """
                select user_id, reaction from user_reaction
                where  namespace = ? and entity = ? and user_id = any (?)
                """,
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
     * Makes the counters of an entity equal to what its rows add up to. When a count rose from 0
     * and when it last grew are kept, unless the rows prove otherwise. The partition must be
     * locked.
     */
    public void store(EntityKey key, Map<String, Rows> rows) {
        var entries = rows.entrySet();
        Object reactions = Columns.texts(entries, Map.Entry::getKey);
        jdbc.update(
                """
                delete from counter
                where  namespace = ? and entity = ? and reaction <> all (?)
                """,
                key.namespace(),
                key.entity(),
                reactions);
        jdbc.update(
                """
                insert into counter as c (namespace, entity, reaction, count, first_at, last_at)
                select ?, ?, k.* from unnest(?, ?, ?, ?) as k
                on conflict (namespace, entity, reaction) do update
                set    count    = excluded.count,
                       first_at = least(c.first_at, excluded.first_at),
                       last_at  = greatest(c.last_at, excluded.last_at)
                where  c.count    <> excluded.count
                or     c.first_at >  excluded.first_at
                or     c.last_at  <  excluded.last_at
                """,
                key.namespace(),
                key.entity(),
                reactions,
                Columns.longs(entries, entry -> entry.getValue().count()),
                Columns.longs(entries, entry -> entry.getValue().firstAt()),
                Columns.longs(entries, entry -> entry.getValue().lastAt()));
    }
}
