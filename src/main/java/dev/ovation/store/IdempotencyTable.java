package dev.ovation.store;

import dev.ovation.entity.WriteAnswer;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Table {@code idempotency}: the first answer to every write that came with a key. */
@Repository
public class IdempotencyTable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final JdbcTemplate jdbc;

    IdempotencyTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** The scope of a key is one user of one namespace. */
    public record Key(String namespace, String user, String key) {}

    /** What was asked under a key, and what was answered. */
    public record Entry(Key key, String requestHash, String op, WriteAnswer answer) {}

    /** Returns what is kept under a key. */
    public Optional<Entry> find(Key key) {
        return jdbc
                .query(
                        """
                        select request_hash, op_id, answer
                        from   idempotency
                        where  namespace = ? and user_id = ? and key = ?
                        """,
                        (row, _) ->
                                new Entry(
                                        key,
                                        row.getString(1),
                                        row.getString(2),
                                        JSON.readValue(row.getString(3), WriteAnswer.class)),
                        key.namespace(),
                        key.user(),
                        key.key())
                .stream()
                .findFirst();
    }

    /**
     * Stores entries whose key is still free and returns the op ids of those; of two with one key,
     * the first. They come in the order of their keys, because transactions that hold different
     * partitions meet in this table alone, and would wait for each other.
     */
    public Set<String> insert(List<Entry> entries) {
        return new HashSet<>(
                jdbc.queryForList(
                        """
                        insert into idempotency (namespace, user_id, key, request_hash, op_id, answer)
                        select namespace, user_id, key, request_hash, op_id, answer::jsonb
                        from   unnest(?, ?, ?, ?, ?, ?) with ordinality
                               as k (namespace, user_id, key, request_hash, op_id, answer, n)
                        order  by namespace, user_id, key, n
                        on conflict do nothing
                        returning op_id
                        """,
                        String.class,
                        Columns.texts(entries, entry -> entry.key().namespace()),
                        Columns.texts(entries, entry -> entry.key().user()),
                        Columns.texts(entries, entry -> entry.key().key()),
                        Columns.texts(entries, Entry::requestHash),
                        Columns.texts(entries, Entry::op),
                        Columns.texts(entries, entry -> JSON.writeValueAsString(entry.answer()))));
    }

    /** Takes back what is kept under these keys. */
    public void delete(List<Key> keys) {
        jdbc.update(
                """
                delete from idempotency i
                using  unnest(?, ?, ?) as k (namespace, user_id, key)
                where  i.namespace = k.namespace and i.user_id = k.user_id and i.key = k.key
                """,
                Columns.texts(keys, Key::namespace),
                Columns.texts(keys, Key::user),
                Columns.texts(keys, Key::key));
    }

    /** Forgets some entries older than {@code age}: at most {@code limit}; returns how many. */
    public int deleteOlderThan(Duration age, int limit) {
        return jdbc.update(
                """
                delete from idempotency
                where  ctid = any (array(
                    select ctid from idempotency
                    where  created_at < now() - make_interval(secs => ?)
                    limit  ?))
                """,
                age.toSeconds(),
                limit);
    }
}
