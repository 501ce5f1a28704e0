package dev.ovation.webhook;

import dev.ovation.hot.state.UniqueNames;
import dev.ovation.store.Columns;
import dev.ovation.store.log.LogPositions;
import dev.ovation.store.shard.Shards;
import dev.ovation.webhook.Webhook.Message;
import dev.ovation.webhook.Webhook.Target;
import dev.ovation.webhook.WebhookMetrics.Backlog;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Table {@code webhook}. All times are by the clock of Postgres. One instance at a time holds the
 * lease of a webhook; each write of its cursor compares the holder.
 */
final class WebhookTable {

    /** Greatest number of webhooks. */
    static final int MOST = 100;

    private static final String COLUMNS =
            """
            webhook_id, url, namespaces, kinds, milestones, batch_max, delay_ms, secret, generation,
            positions, message_id, message_to, attempts, last_error, created_at, delivered_at
            """;

    private static final String ACQUIRE =
            """
            update webhook
            set    holder = ?, lease_until = clock_timestamp() + ?::interval
            where  webhook_id = (
                       select w.webhook_id from webhook w
                       where  w.lease_until < clock_timestamp()
                       and    w.next_at <= clock_timestamp()
                       and   (w.message_id is not null
                              or exists (select from partition t
                                         where  t.log_position > w.positions[t.p + 1]))
                       order  by w.next_at limit 1 for update skip locked)
            returning\s"""
                    + COLUMNS;

    private static final String BACKLOG =
            """
            select coalesce(max(l.rows), 0), (select count(*) from dead_letter)
            from   webhook w
            cross  join lateral (
                select sum(greatest(t.log_position - w.positions[t.p + 1], 0)) as rows
                from   partition t) l
            """;

    private static final String ACQUIRE_DIVIDED = divided(ACQUIRE);
    private static final String BACKLOG_DIVIDED = divided(BACKLOG);

    private final JdbcTemplate jdbc;
    private final TransactionOperations transactions;
    private final Shards shards;

    WebhookTable(JdbcTemplate jdbc, TransactionOperations transactions, Shards shards) {
        this.shards = shards;
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /** A webhook, and the lease under which its changes are sent. */
    record Held(Webhook webhook, String holder) {}

    List<Webhook> all() {
        return jdbc.query(
                "select " + COLUMNS + " from webhook order by webhook_id",
                (row, _) -> webhook(row));
    }

    @Nullable Webhook find(String id) {
        return one("select " + COLUMNS + " from webhook where webhook_id = ?", id);
    }

    private @Nullable Webhook one(String sql, @Nullable Object... arguments) {
        List<Webhook> found = jdbc.query(sql, (row, _) -> webhook(row), arguments);
        return found.isEmpty() ? null : found.getFirst();
    }

    /**
     * Creates a webhook.
     *
     * @param from the place after which changes are sent
     * @return false when there are too many, or one of that id
     */
    boolean create(String id, Target target, String secret, LogPositions from) {
        return jdbc.update(
                        """
                        insert into webhook (webhook_id, url, namespaces, kinds, milestones, batch_max,
                                             delay_ms, secret, generation, positions)
                        select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
                        where  (select count(*) from webhook) < ?
                        on conflict do nothing
                        """,
                        id,
                        target.url(),
                        texts(target.namespaces()),
                        texts(target.kinds()),
                        numbers(target.milestones()),
                        target.max(),
                        target.delayMillis(),
                        secret,
                        from.generation(),
                        from.positions(),
                        MOST)
                > 0;
    }

    /** Changes a webhook, and lets its next attempt begin at once. */
    boolean change(String id, Target target) {
        return jdbc.update(
                        """
                        update webhook
                        set    url = ?, namespaces = ?, kinds = ?, milestones = ?, batch_max = ?,
                               delay_ms = ?, next_at = clock_timestamp()
                        where  webhook_id = ?
                        """,
                        target.url(),
                        texts(target.namespaces()),
                        texts(target.kinds()),
                        numbers(target.milestones()),
                        target.max(),
                        target.delayMillis(),
                        id)
                > 0;
    }

    boolean delete(String id) {
        return jdbc.update("delete from webhook where webhook_id = ?", id) > 0;
    }

    /**
     * Acquires a webhook with changes to send whose time has come, and that has no holder; null
     * when there is none.
     */
    @Nullable Held acquire(Duration lease) {
        String holder = UniqueNames.next();
        Webhook webhook =
                shards.areMany()
                        ? one(ACQUIRE_DIVIDED, holder, interval(lease), ends())
                        : one(ACQUIRE, holder, interval(lease));
        return webhook == null ? null : new Held(webhook, holder);
    }

    /** Returns a statement with the ends of the log as its last argument. */
    private static String divided(String statement) {
        return statement
                .replace(
                        "partition t", "unnest(?::bigint[]) with ordinality as t (log_position, n)")
                .replace("t.p + 1", "t.n");
    }

    /** Returns the greatest number of rows that a webhook waits for, and the dead letters. */
    Backlog backlog() {
        return Objects.requireNonNull(
                shards.areMany()
                        ? jdbc.queryForObject(BACKLOG_DIVIDED, WebhookTable::backlog, ends())
                        : jdbc.queryForObject(BACKLOG, WebhookTable::backlog));
    }

    private static Backlog backlog(ResultSet row, int index) throws SQLException {
        return new Backlog(row.getLong(1), row.getLong(2));
    }

    private Object ends() {
        return Columns.longs(
                jdbc.queryForList("select log_position from partition order by p", Long.class),
                Long::longValue);
    }

    /**
     * Fixes the next message and renews the lease.
     *
     * @return false when this process does not hold the webhook any more
     */
    boolean fix(Held held, Message message, Duration lease) {
        return jdbc.update(
                        """
                        update webhook
                        set    message_id = ?, message_to = ?,
                               lease_until = clock_timestamp() + ?::interval
                        where  webhook_id = ? and holder = ?
                        """,
                        message.id(),
                        message.end().positions(),
                        interval(lease),
                        held.webhook().id(),
                        held.holder())
                > 0;
    }

    /** As {@link #fix}, for a message that is fixed already. */
    boolean renew(Held held, Duration lease) {
        return jdbc.update(
                        """
                        update webhook set lease_until = clock_timestamp() + ?::interval
                        where  webhook_id = ? and holder = ?
                        """,
                        interval(lease),
                        held.webhook().id(),
                        held.holder())
                > 0;
    }

    /**
     * Moves the cursor and continues without a message.
     *
     * @param delivered whether a message was delivered
     * @return false when this process does not hold the webhook any more
     */
    boolean move(Held held, LogPositions to, boolean delivered, @Nullable String error) {
        return jdbc.update(
                        """
                        update webhook
                        set    generation = ?, positions = ?, message_id = null, message_to = null,
                               attempts = 0, first_at = null, last_error = ?,
                               delivered_at = case when ? then clock_timestamp()
                                                   else delivered_at end
                        where  webhook_id = ? and holder = ?
                        """,
                        to.generation(),
                        to.positions(),
                        error,
                        delivered,
                        held.webhook().id(),
                        held.holder())
                > 0;
    }

    /** Releases a webhook; any instance may acquire it at once. */
    void release(Held held) {
        jdbc.update(
                """
                update webhook set holder = '', lease_until = clock_timestamp()
                where  webhook_id = ? and holder = ?
                """,
                held.webhook().id(),
                held.holder());
    }

    /**
     * Notes a failed attempt and releases the webhook. A message that has failed for too long
     * becomes a dead letter, and the next one has its turn.
     *
     * @param events number of events of the message
     * @return whether it became a dead letter
     */
    boolean fail(Held held, int events, String error, Duration retry, Duration giveUp) {
        return Boolean.TRUE.equals(
                transactions.execute(_ -> failed(held, events, error, retry, giveUp)));
    }

    private boolean failed(Held held, int events, String error, Duration retry, Duration giveUp) {
        String id = held.webhook().id();
        jdbc.update(
                """
                update webhook
                set    attempts = attempts + 1, first_at = coalesce(first_at, clock_timestamp()),
                       last_error = ?, next_at = clock_timestamp() + ?::interval, holder = ?,
                       lease_until = clock_timestamp()
                where  webhook_id = ? and holder = ?
                """,
                error,
                interval(retry),
                held.holder(),
                id,
                held.holder());
        int dead =
                jdbc.update(
                        """
                        insert into dead_letter (webhook_id, message_id, positions, events, attempts,
                                                 error)
                        select webhook_id, message_id, positions, ?, attempts, last_error
                        from   webhook
                        where  webhook_id = ? and holder = ?
                        and    first_at < clock_timestamp() - ?::interval
                        on conflict do nothing
                        """,
                        events,
                        id,
                        held.holder(),
                        interval(giveUp));
        if (dead > 0) {
            jdbc.update(
                    """
                    update webhook
                    set    positions = message_to, message_id = null, message_to = null,
                           attempts = 0, first_at = null, next_at = clock_timestamp()
                    where  webhook_id = ? and holder = ?
                    """,
                    id,
                    held.holder());
        }
        jdbc.update(
                "update webhook set holder = '' where webhook_id = ? and holder = ?",
                id,
                held.holder());
        return dead > 0;
    }

    /** Sets a webhook back; an attempt under way does not move it. */
    void setBack(String id, LogPositions to) {
        jdbc.update(
                """
                update webhook
                set    generation = ?, positions = ?, message_id = null, message_to = null,
                       attempts = 0, first_at = null, next_at = clock_timestamp(), holder = '',
                       lease_until = clock_timestamp()
                where  webhook_id = ?
                """,
                to.generation(),
                to.positions(),
                id);
    }

    private static Webhook webhook(ResultSet row) throws SQLException {
        int generation = row.getInt("generation");
        String message = row.getString("message_id");
        Timestamp delivered = row.getTimestamp("delivered_at");
        return new Webhook(
                row.getString("webhook_id"),
                new Target(
                        row.getString("url"),
                        row.getArray("namespaces") == null ? null : texts(row, "namespaces"),
                        texts(row, "kinds"),
                        Arrays.stream(longs(row.getArray("milestones"))).boxed().toList(),
                        row.getInt("batch_max"),
                        row.getInt("delay_ms")),
                row.getString("secret"),
                new LogPositions(generation, longs(row.getArray("positions"))),
                message == null
                        ? null
                        : new Message(
                                message,
                                new LogPositions(generation, longs(row.getArray("message_to")))),
                row.getInt("attempts"),
                row.getString("last_error"),
                row.getTimestamp("created_at").toInstant(),
                delivered == null ? null : delivered.toInstant());
    }

    private static List<String> texts(ResultSet row, String column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }

    private static @Nullable Object texts(@Nullable List<String> texts) {
        return texts == null ? null : texts.toArray(String[]::new);
    }

    private static Object numbers(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }

    /** Returns the numbers of an array. */
    static long[] longs(Array array) throws SQLException {
        return Arrays.stream((Long[]) array.getArray()).mapToLong(Long::longValue).toArray();
    }

    private static String interval(Duration duration) {
        return duration.toMillis() + " milliseconds";
    }
}
