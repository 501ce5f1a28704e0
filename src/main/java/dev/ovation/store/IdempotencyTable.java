package dev.ovation.store;

import dev.ovation.entity.WriteAnswer;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import tools.jackson.databind.json.JsonMapper;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Table {@code idempotency}: the answer to every write with an idempotency key, in partitions by
 * time.
 */
@Repository
public class IdempotencyTable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final JdbcTemplate jdbc;

    IdempotencyTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** The scope of a key is one user of one namespace. */
    public record IdempotencyScope(String namespace, String user, String key) {}

    /** The request and the answer of a key. */
    public record IdempotencyEntry(
            IdempotencyScope key, String requestHash, String op, WriteAnswer answer) {}

    /** Returns the entry of a key. */
    public Optional<IdempotencyEntry> find(IdempotencyScope key) {
        return jdbc
                .query(
                        """
                        select request_hash, op_id, answer
                        from   idempotency
                        where  namespace = ? and user_id = ? and key = ?
                        """,
                        (row, _) ->
                                new IdempotencyEntry(
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
     * Stores entries whose key is still free and returns their op ids; of two entries with one key,
     * the first is stored. They are stored in the order of their keys: transactions that hold
     * different partitions share this table only, and would otherwise deadlock.
     *
     * <p>The primary key makes a key unique within a period. Entries of older periods are committed
     * and therefore visible: see {@link dev.ovation.store.postgres.Periods#turn}.
     */
    public Set<String> insert(List<IdempotencyEntry> entries) {
        return new HashSet<>(
                jdbc.queryForList(
                        """
                        insert into idempotency
                               (period, namespace, user_id, key, request_hash, op_id, answer)
                        select (select max(period) from idempotency_period),
                               namespace, user_id, key, request_hash, op_id, answer::jsonb
                        from   unnest(?, ?, ?, ?, ?, ?) with ordinality
                               as k (namespace, user_id, key, request_hash, op_id, answer, n)
                        where  not exists (select from idempotency i
                                           where  i.namespace = k.namespace
                                           and    i.user_id = k.user_id and i.key = k.key)
                        order  by namespace, user_id, key, n
                        on conflict do nothing
                        returning op_id
                        """,
                        String.class,
                        columns(entries)));
    }

    /** Returns the six columns of entries: namespace, user, key, request hash, op and answer. */
    static Object[] columns(List<IdempotencyEntry> entries) {
        return new Object[] {
            Columns.texts(entries, entry -> entry.key().namespace()),
            Columns.texts(entries, entry -> entry.key().user()),
            Columns.texts(entries, entry -> entry.key().key()),
            Columns.texts(entries, IdempotencyEntry::requestHash),
            Columns.texts(entries, IdempotencyEntry::op),
            Columns.texts(entries, entry -> JSON.writeValueAsString(entry.answer()))
        };
    }

    /** Deletes the entries of these keys. */
    public void delete(List<IdempotencyScope> keys) {
        jdbc.update(
                """
                delete from idempotency i
                using  unnest(?, ?, ?) as k (namespace, user_id, key)
                where  i.namespace = k.namespace and i.user_id = k.user_id and i.key = k.key
                """,
                Columns.texts(keys, IdempotencyScope::namespace),
                Columns.texts(keys, IdempotencyScope::user),
                Columns.texts(keys, IdempotencyScope::key));
    }
}
