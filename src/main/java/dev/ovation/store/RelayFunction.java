package dev.ovation.store;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.UserOfEntity;
import dev.ovation.store.EntityTable.EntityStep;
import dev.ovation.store.IdempotencyTable.IdempotencyEntry;
import dev.ovation.store.PartitionTable.Advance;
import dev.ovation.store.ReactionTables.CounterKey;
import dev.ovation.store.ReactionTables.CounterTimes;
import dev.ovation.store.ReactionTables.UserReaction;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Function {@code relay_apply}: a relay transaction as one statement that commits itself. It
 * changes the same rows as {@link PartitionTable}, {@link EntityTable}, {@link ReactionTables} and
 * {@link IdempotencyTable}, or none.
 */
@Repository
public class RelayFunction {

    private static final int ARRAYS = 43;
    private static final String CALL =
            "select relay_apply(" + String.join(", ", Collections.nCopies(ARRAYS, "?")) + ")";

    /** The call for partitions of one shard, which Postgres makes on the node of the shard. */
    private static final String CALL_AT =
            "select relay_apply_at("
                    + String.join(", ", Collections.nCopies(ARRAYS + 2, "?"))
                    + ")";

    private final JdbcTemplate jdbc;
    private final IdempotencyTable idempotency;
    private final Shards shards;

    RelayFunction(JdbcTemplate jdbc, IdempotencyTable idempotency, Shards shards) {
        this.jdbc = jdbc;
        this.idempotency = idempotency;
        this.shards = shards;
    }

    /** Results of a call. Every result but the first leaves all tables as they were. */
    public enum CallResult {
        /** The call is committed. */
        APPLIED(null),
        /** Another transaction has locked a partition, or its watermark is not the expected one. */
        PARTITION(null),
        /** A reaction has no number yet. */
        REACTION(null),
        /** Changes are logged, and the call has no rows for the log. */
        LOG(null),
        /** An entity is not at the base of its first event. */
        BASE("OV001"),
        /** An idempotency key is taken. */
        KEY("OV002"),
        /** A watermark moved under the lock. */
        WATERMARK("OV003"),
        /** A row that is to be inserted exists. */
        ROW("23505"),
        /** The function does not exist, as in a restored database of an earlier schema. */
        MISSING("42883"),
        /** The role of the service may not execute the function. */
        FORBIDDEN("42501"),
        /** Postgres refused the data of an event. */
        DATA(null),
        /** The call was not made: it cannot apply such events. */
        UNSUITABLE(null);

        private final @Nullable String sqlState;

        CallResult(@Nullable String sqlState) {
            this.sqlState = sqlState;
        }

        /** Returns the name that the function and the metrics use. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Returns the result that an error of the function stands for; null for any other error.
         */
        static @Nullable CallResult of(RuntimeException error) {
            for (Throwable cause = error; cause != null; cause = cause.getCause()) {
                if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                    for (CallResult result : values()) {
                        if (sql.getSQLState().equals(result.sqlState)) {
                            return result;
                        }
                    }
                }
            }
            return null;
        }
    }

    /**
     * A watermark that is expected, and its change.
     *
     * @param op op of the event at {@code advance.from()}; empty when no event is applied
     */
    public record ExpectedWatermark(Advance advance, String op) {}

    /**
     * A row of table {@code change_log}.
     *
     * @param first whether it is the first change ever of its entity
     * @param at microseconds since 1970
     * @param back number of rows of its partition that follow it in the same transaction
     * @param later additions less removals by those of them that are of its entity
     * @param change its reactions, as JSON
     */
    public record LoggedChange(
            int p,
            EntityKey key,
            String user,
            boolean first,
            long version,
            long at,
            int back,
            long later,
            String change) {

        /** Returns the kind that the table names. */
        public String kind() {
            return first ? "first" : "changed";
        }
    }

    /**
     * The changes of a call.
     *
     * @param watermarks one for each partition to lock; it may stay where it is
     * @param steps one for each changed entity, from the base that is expected
     * @param removed rows to delete, if they exist, before the insertions, with the time of their
     *     removal in microseconds since 1970
     * @param added rows to insert, which must not exist, with their time in microseconds since 1970
     * @param forms the forms of inserted rows that have one
     * @param touched the times of the counters of all those rows
     * @param answers the answers of keyed events
     * @param logged a row for each event that changes something; null if changes are not known to
     *     be logged
     */
    public record RelayChange(
            List<ExpectedWatermark> watermarks,
            List<EntityStep> steps,
            Map<UserReaction, Long> removed,
            Map<UserReaction, Long> added,
            Map<UserReaction, String> forms,
            Map<CounterKey, CounterTimes> touched,
            List<IdempotencyEntry> answers,
            @Nullable List<LoggedChange> logged) {}

    /**
     * Applies and commits a change, outside of any transaction.
     *
     * @param change of partitions of one shard
     * @return the first unexpected fact, or {@link CallResult#APPLIED}
     * @throws DataAccessException when Postgres refuses the data or fails. Nothing is changed,
     *     unless the connection broke: then the outcome is unknown, as that of a commit.
     */
    public CallResult call(RelayChange change) {
        try {
            List<Object> columns = columns(change);
            if (shards.areMany()) {
                columns.addFirst(idempotency.partitions(change.answers()));
                columns.addFirst((short) change.watermarks().getFirst().advance().p());
            }
            String result =
                    jdbc.queryForObject(
                            shards.areMany() ? CALL_AT : CALL, String.class, columns.toArray());
            return CallResult.valueOf(Objects.requireNonNull(result).toUpperCase(Locale.ROOT));
        } catch (DataAccessException e) {
            var result = CallResult.of(e);
            if (result == null) {
                throw e;
            }
            return result;
        }
    }

    private static List<Object> columns(RelayChange change) {
        var columns = new ArrayList<Object>(ARRAYS);
        var watermarks = change.watermarks();
        columns.add(Columns.ints(watermarks, each -> each.advance().p()));
        columns.add(Columns.longs(watermarks, each -> each.advance().epoch()));
        columns.add(Columns.longs(watermarks, each -> each.advance().from()));
        columns.add(Columns.texts(watermarks, ExpectedWatermark::op));
        columns.add(Columns.longs(watermarks, each -> each.advance().to()));
        columns.add(Columns.texts(watermarks, each -> each.advance().op()));

        var steps = change.steps();
        columns.add(Columns.ints(steps, EntityStep::p));
        columns.add(Columns.texts(steps, step -> step.key().namespace()));
        columns.add(Columns.texts(steps, step -> step.key().entity()));
        columns.add(Columns.longs(steps, step -> step.base().version()));
        columns.add(Columns.texts(steps, step -> step.base().op()));
        columns.add(Columns.longs(steps, step -> step.head().version()));
        columns.add(Columns.texts(steps, step -> step.head().op()));
        columns.add(Columns.longs(steps, EntityStep::at));

        var entities = new HashMap<EntityKey, Integer>();
        steps.forEach(step -> entities.put(step.key(), entities.size() + 1));
        var counters = new HashMap<CounterKey, Integer>();
        change.touched().keySet().forEach(key -> counters.put(key, counters.size() + 1));
        var times = change.touched();
        columns.add(Columns.ints(times.keySet(), key -> position(entities, key.key())));
        columns.add(Columns.texts(times.keySet(), CounterKey::reaction));
        columns.add(Columns.longs(times.values(), CounterTimes::firstAt));
        columns.add(Columns.longs(times.values(), CounterTimes::lastAt));

        var removed = change.removed();
        columns.add(Columns.ints(removed.keySet(), row -> position(counters, counter(row))));
        columns.add(Columns.texts(removed.keySet(), UserReaction::user));
        columns.add(Columns.longs(removed.values(), Long::longValue));
        var added = change.added();
        columns.add(Columns.ints(added.keySet(), row -> position(counters, counter(row))));
        columns.add(Columns.texts(added.keySet(), UserReaction::user));
        columns.add(Columns.longs(added.values(), Long::longValue));
        columns.add(Columns.texts(added.keySet(), row -> change.forms().get(row)));

        var people = new LinkedHashSet<UserOfEntity>();
        removed.keySet().forEach(row -> people.add(new UserOfEntity(row.key(), row.user())));
        added.keySet().forEach(row -> people.add(new UserOfEntity(row.key(), row.user())));
        columns.add(Columns.ints(people, each -> position(entities, each.key())));
        columns.add(Columns.texts(people, UserOfEntity::user));

        Collections.addAll(columns, IdempotencyTable.columns(change.answers()));
        addLogged(columns, change, entities);
        return columns;
    }

    private static void addLogged(
            List<Object> columns, RelayChange change, Map<EntityKey, Integer> entities) {
        List<LoggedChange> rows = Objects.requireNonNullElse(change.logged(), List.of());
        var counts = new HashMap<Integer, Integer>();
        rows.forEach(row -> counts.merge(row.p(), 1, Integer::sum));
        columns.add(change.logged() != null);
        columns.add(
                Columns.ints(
                        change.watermarks(), each -> counts.getOrDefault(each.advance().p(), 0)));
        columns.add(Columns.ints(rows, row -> position(entities, row.key())));
        columns.add(Columns.texts(rows, LoggedChange::kind));
        columns.add(Columns.texts(rows, LoggedChange::user));
        columns.add(Columns.longs(rows, LoggedChange::version));
        columns.add(Columns.longs(rows, LoggedChange::at));
        columns.add(Columns.ints(rows, LoggedChange::back));
        columns.add(Columns.longs(rows, LoggedChange::later));
        columns.add(Columns.texts(rows, LoggedChange::change));
    }

    private static <K> int position(Map<K, Integer> positions, K key) {
        return Objects.requireNonNull(positions.get(key), "no row of the call has this key");
    }

    /** Returns the counter of a row. */
    public static CounterKey counter(UserReaction row) {
        return new CounterKey(row.key(), row.reaction());
    }
}
