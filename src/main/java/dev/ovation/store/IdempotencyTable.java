package dev.ovation.store;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.WriteAnswer;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import tools.jackson.databind.json.JsonMapper;

import java.util.Arrays;
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

    private static final String INSERT =
            """
            insert into idempotency
                   (period, namespace, user_id, key, request_hash, op_id, answer)
            select (select max(period) from idempotency_period),
                   namespace, user_id, key, request_hash, op_id, answer::jsonb
            from   unnest(?, ?, ?, ?, ?, ?) with ordinality
                   as k (namespace, user_id, key, request_hash, op_id, answer, n)
            where  not exists (select from idempotency i
                               where  i.namespace = k.namespace
                               and    i.user_id = k.user_id and i.key = k.key /*on i.p*/)
            order  by namespace, user_id, key, n
            on conflict do nothing
            returning op_id
            """;

    private static final String INSERT_WITH_PARTITION =
            INSERT.replace("(period,", "(p, period,")
                    .replace("select (select max", "select p, (select max")
                    .replace("(?, ?, ?, ?, ?, ?)", "(?, ?, ?, ?, ?, ?, ?)")
                    .replace("answer, n)", "answer, p, n)")
                    .replace("/*on i.p*/", "and i.p = k.p /*on i.p*/");

    private static final String DELETE =
            """
            delete from idempotency i
            using  unnest(?, ?, ?) as k (namespace, user_id, key)
            where  i.namespace = k.namespace and i.user_id = k.user_id and i.key = k.key
            /*on i.p*/
            """;

    private static final String DELETE_WITH_PARTITION =
            DELETE.replace("(?, ?, ?)", "(?, ?, ?, ?)")
                    .replace("key)\n", "key, p)\n")
                    .replace("/*on i.p*/", "and i.p = k.p /*on i.p*/");

    private final JdbcTemplate jdbc;
    private final Shards shards;

    IdempotencyTable(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
    }

    /** The scope of a key is one user of one namespace. */
    public record IdempotencyScope(String namespace, String user, String key) {}

    /** A key, and the entity on which it was used. */
    public record UsedKey(IdempotencyScope key, String entity) {

        private EntityKey entityKey() {
            return new EntityKey(key.namespace, entity);
        }
    }

    /** The request and the answer of a key. */
    public record IdempotencyEntry(
            IdempotencyScope key,
            String entity,
            String requestHash,
            String op,
            WriteAnswer answer) {

        private EntityKey entityKey() {
            return new EntityKey(key.namespace, entity);
        }
    }

    /**
     * Returns the entry of a key. A divided Postgres is asked for the keys of the entity's
     * partition only.
     *
     * @param entity the entity that the present request names
     */
    public Optional<IdempotencyEntry> find(IdempotencyScope key, String entity) {
        return shards.within(
                new EntityKey(key.namespace, entity),
                () ->
                        jdbc
                                .query(
                                        Narrowed.sql(
                                                """
                                                select request_hash, op_id, answer
                                                from   idempotency
                                                where  namespace = ? and user_id = ? and key = ?
                                                /*on p*/
                                                """),
                                        (row, _) ->
                                                new IdempotencyEntry(
                                                        key,
                                                        entity,
                                                        row.getString(1),
                                                        row.getString(2),
                                                        JSON.readValue(
                                                                row.getString(3),
                                                                WriteAnswer.class)),
                                        key.namespace(),
                                        key.user(),
                                        key.key())
                                .stream()
                                .findFirst());
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
        Object[] columns = columns(entries);
        if (shards.areMany()) {
            columns = Arrays.copyOf(columns, columns.length + 1);
            columns[columns.length - 1] = partitions(entries);
        }
        String insert = shards.areMany() ? INSERT_WITH_PARTITION : INSERT;
        return new HashSet<>(jdbc.queryForList(Narrowed.sql(insert), String.class, columns));
    }

    /** Returns the partitions of the entities of entries. */
    Object partitions(List<IdempotencyEntry> entries) {
        return Columns.ints(entries, entry -> shards.partition(entry.entityKey()));
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

    /**
     * Deletes the entries of these keys. A divided Postgres may have another entry of a key in the
     * partition of another entity; it stays.
     */
    public void delete(List<UsedKey> used) {
        Object[] columns = {
            Columns.texts(used, each -> each.key().namespace()),
            Columns.texts(used, each -> each.key().user()),
            Columns.texts(used, each -> each.key().key())
        };
        if (shards.areMany()) {
            columns = Arrays.copyOf(columns, columns.length + 1);
            columns[columns.length - 1] =
                    Columns.ints(used, each -> shards.partition(each.entityKey()));
        }
        String delete = shards.areMany() ? DELETE_WITH_PARTITION : DELETE;
        jdbc.update(Narrowed.sql(delete), columns);
    }
}
