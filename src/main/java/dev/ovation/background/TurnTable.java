package dev.ovation.background;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Table {@code background}, by which all instances share the budget: one row for each job, with its
 * debt. The start and the end of a turn lock all rows. All times are by the clock of Postgres.
 */
class TurnTable {

    /**
     * Time after which the holder of a turn counts as dead: other instances may execute the job.
     */
    static final Duration LEASE = Duration.ofSeconds(5);

    private static final double NANOS = 1e9;
    private static final double MICROSECOND = 1e-6;

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final double share;
    private final String now;

    TurnTable(JdbcTemplate jdbc, TransactionTemplate transactions, double share) {
        this(jdbc, transactions, share, "clock_timestamp()");
    }

    /**
     * Creates a table with the clock of a test.
     *
     * @param now an SQL expression
     */
    TurnTable(JdbcTemplate jdbc, TransactionTemplate transactions, double share, String now) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.share = share;
        this.now = now;
    }

    /**
     * Result of a request for a turn.
     *
     * @param taken whether the caller has the turn
     * @param pause time until the next request is useful; 0 when the turn was taken
     * @param late time since the job was due; negative: time until it is due
     */
    record TurnRequest(boolean taken, Duration pause, Duration late) {}

    /** A row; all times are in seconds from now. */
    private record TurnRow(
            String job, double debt, double unpaid, double due, double held, OffsetDateTime now) {}

    /** Creates the row of a job. A job that became due while no instance ran is due from now on. */
    void register(String job, Duration every) {
        jdbc.update(
                """
                insert into background as b (job, paid_at, due_at)
                select ?, now, now + ? * interval '1 second' from (select %s as now) clock
                on conflict (job) do update
                set    due_at = greatest(b.due_at, excluded.paid_at)
                where  b.paid_at < excluded.paid_at - interval '1 minute'
                """
                        .formatted(now),
                job,
                seconds(every));
    }

    /** Takes the turn if the job is due, has no debt and no other instance has the turn. */
    TurnRequest take(String job, Duration every) {
        TurnRequest asked = ask(job, every, read());
        return asked.taken() ? locked(() -> takeLocked(job, every)) : asked;
    }

    private TurnRequest takeLocked(String job, Duration every) {
        List<TurnRow> rows = read();
        TurnRequest asked = ask(job, every, rows);
        if (asked.taken()) {
            jdbc.update(
                    """
                    update background
                    set    debt = greatest(0, debt - ?), paid_at = ?,
                           held_until = case when job = ? then ?::timestamptz else held_until end
                    """,
                    paid(rows),
                    of(job, rows).now,
                    job,
                    of(job, rows).now.plus(LEASE));
        }
        return asked;
    }

    private TurnRequest ask(String job, Duration every, List<TurnRow> rows) {
        TurnRow own = of(job, rows);
        double paid = paid(rows);
        var debts = rows.stream().map(row -> Math.max(0, row.debt - paid)).toList();
        double wait = Budget.wait(debts, Math.max(0, own.debt - paid), share);
        wait = Math.max(wait, unlessTheClockWentBack(own.due, every));
        wait = Math.max(wait, unlessTheClockWentBack(own.held, LEASE));
        return new TurnRequest(wait < MICROSECOND, duration(Math.max(0, wait)), duration(-own.due));
    }

    private static double unlessTheClockWentBack(double time, Duration most) {
        return time > seconds(most) ? 0 : time;
    }

    /**
     * Ends a turn. The worked time is a debt from the beginning of the turn. If other turns began
     * or ended meanwhile, it is a debt from then on.
     *
     * @param worked in seconds
     * @param due seconds until the job is due again; null: it is still due
     */
    void end(String job, double worked, @Nullable Double due) {
        locked(
                () -> {
                    jdbc.update(
                            """
                            update background set debt = debt + ?, worked = worked + ?
                            where  job = ?
                            """,
                            worked,
                            worked,
                            job);
                    List<TurnRow> rows = read();
                    OffsetDateTime now = of(job, rows).now;
                    return jdbc.update(
                            """
                            update background
                            set    debt = greatest(0, debt - ?), paid_at = ?,
                                   held_until = case when job = ? then 'epoch' else held_until end,
                                   due_at = case when job = ? then coalesce(?, due_at) else due_at end
                            """,
                            paid(rows),
                            now,
                            job,
                            job,
                            due == null ? null : now.plus(duration(due)));
                });
    }

    private <T> T locked(Supplier<T> change) {
        return Objects.requireNonNull(
                transactions.execute(
                        _ -> {
                            jdbc.execute("select from background order by job for update");
                            return change.get();
                        }));
    }

    private List<TurnRow> read() {
        return jdbc.query(
                """
                select job, debt,
                       extract(epoch from now - paid_at)::double precision,
                       extract(epoch from due_at - now)::double precision,
                       extract(epoch from held_until - now)::double precision,
                       now
                from   background cross join (select %s as now offset 0) clock
                """
                        .formatted(now),
                (row, _) ->
                        new TurnRow(
                                row.getString(1),
                                row.getDouble(2),
                                row.getDouble(3),
                                row.getDouble(4),
                                row.getDouble(5),
                                row.getObject(6, OffsetDateTime.class)));
    }

    private static TurnRow of(String job, List<TurnRow> rows) {
        return rows.stream().filter(row -> row.job.equals(job)).findFirst().orElseThrow();
    }

    /** Returns the part of each debt that the time since the last payment has paid. */
    private double paid(List<TurnRow> rows) {
        double unpaid =
                rows.stream().mapToDouble(TurnRow::unpaid).min().orElse(0); // a new row is newer
        return Budget.paid(rows.stream().map(TurnRow::debt).toList(), Math.max(0, unpaid) * share);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS;
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos((long) (seconds * NANOS));
    }
}
