package dev.ovation.moderation;

import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Table {@code user_ban}, and a copy of it for writes. A write reads the version of the table if it
 * was not read for half a second, and the table if it changed. A copy older than a second judges no
 * write that begins now. So a ban is in force on every instance a second after the answer to its
 * request, also on one that cannot reach Postgres.
 */
public final class Bans {

    private static final Logger LOG = LoggerFactory.getLogger(Bans.class);
    private static final long FRESH_NANOS = 500_000_000L;
    private static final long VALID_NANOS = 1_000_000_000L;
    private static final String ALL = "";
    private static final BanList UNREAD = new BanList(-1, Map.of(), 0);

    private final JdbcTemplate jdbc;
    private final TransactionOperations transactions;
    private final PostgresBulkhead gate;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile BanList known = UNREAD;

    /** The last read that failed; guarded by {@link #reading}. */
    private @Nullable FailedRead failed;

    Bans(JdbcTemplate jdbc, TransactionOperations transactions, PostgresBulkhead gate) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.gate = gate;
    }

    /** The effect of a ban on the reactions of its user. */
    enum BanEffect {
        KEEP,
        HIDE,
        REMOVE
    }

    /** A user in a namespace; an empty one stands for all. */
    private record Banned(String user, String namespace) {}

    private record BanList(long version, Map<Banned, Instant> ends, long readAt) {

        /** Returns whether the list was read at most so long before a moment. */
        boolean isYounger(long nanos, long moment) {
            return version >= 0 && moment - readAt < nanos;
        }
    }

    private record FailedRead(long endedAt, DataAccessException cause) {}

    /**
     * Refuses a banned user.
     *
     * @throws dev.ovation.web.problem.ProblemException 403 {@code user-banned}
     * @throws DataAccessException when the bans cannot be read, and the copy is too old
     */
    public void check(String user, String namespace) {
        Map<Banned, Instant> ends = current().ends;
        if (ends.isEmpty()) {
            return;
        }
        Instant now = Instant.now();
        for (String scope : new String[] {ALL, namespace}) {
            Instant end = ends.get(new Banned(user, scope));
            if (end != null && end.isAfter(now)) {
                throw Problems.userBanned(user, end.equals(Instant.MAX) ? null : end.toString());
            }
        }
    }

    /**
     * One writer reads the list; others use the earlier one while it is valid, or wait. A failure
     * during the wait is theirs, too: no writer waits for two reads that fail.
     */
    private BanList current() {
        long began = System.nanoTime();
        BanList list = known;
        if (list.isYounger(FRESH_NANOS, began)) {
            return list;
        }
        boolean isValid = list.isYounger(VALID_NANOS, began);
        if (!isValid) {
            reading.lock();
        } else if (!reading.tryLock()) {
            return list;
        }
        try {
            if (!known.isYounger(FRESH_NANOS, began)) {
                readSince(began);
            }
            return known;
        } catch (DataAccessException e) {
            if (!isValid) {
                throw e;
            }
            LOG.debug("The bans cannot be read now: {}", e.toString());
            return list;
        } finally {
            reading.unlock();
        }
    }

    /** Reads the list, unless a read failed after that moment: then this fails, too. */
    private void readSince(long moment) {
        FailedRead last = failed;
        if (last != null && last.endedAt - moment > 0) {
            throw new TransientDataAccessResourceException(
                    "the bans could not be read", last.cause);
        }
        reread();
    }

    private void reread() {
        try {
            known = read();
        } catch (DataAccessException e) {
            failed = new FailedRead(System.nanoTime(), e);
            throw e;
        }
    }

    /**
     * Reads the list if it changed. There is one read at a time, guarded by {@link #reading}, so it
     * takes no place among the statements of requests: these may be full while writes need the
     * bans.
     */
    private BanList read() {
        long now = System.nanoTime();
        Long version = jdbc.queryForObject("select version from ban_version", Long.class);
        if (version == null || version == known.version) {
            return new BanList(known.version, known.ends, now);
        }
        Map<Banned, Instant> ends = new HashMap<>();
        jdbc.query(
                "select user_id, namespace, until from user_ban where until is null or until > now()",
                row -> {
                    var until = row.getObject(3, OffsetDateTime.class);
                    ends.put(
                            new Banned(row.getString(1), row.getString(2)),
                            until == null ? Instant.MAX : until.toInstant());
                });
        return new BanList(version, Map.copyOf(ends), now);
    }

    /**
     * Bans a user, or changes a ban.
     *
     * @param namespace null for all
     * @param until null for a ban without an end
     * @param also changes of Postgres that are committed with it, unless there is this ban already.
     *     A later change of any ban waits for their commit, so they do not affect what it begins.
     */
    void ban(
            String user,
            @Nullable String namespace,
            @Nullable Instant until,
            BanEffect effect,
            Runnable also) {
        change(
                also,
                """
                insert into user_ban as b (user_id, namespace, until, reactions)
                values (?, ?, ?, ?)
                on conflict (user_id, namespace)
                do update set until = excluded.until, reactions = excluded.reactions
                where  (b.until, b.reactions) is distinct from (excluded.until, excluded.reactions)
                """,
                user,
                namespace == null ? ALL : namespace,
                until == null ? null : until.atOffset(ZoneOffset.UTC),
                effect.name().toLowerCase(Locale.ROOT));
    }

    /**
     * Lifts a ban; there may be none.
     *
     * @param also as above, if there is the ban
     */
    void lift(String user, @Nullable String namespace, Runnable also) {
        change(
                also,
                "delete from user_ban where user_id = ? and namespace = ?",
                user,
                namespace == null ? ALL : namespace);
    }

    /** Returns whether reactions of the user are hidden. */
    boolean hides(String user) {
        return gate.ask(
                () ->
                        Boolean.TRUE.equals(
                                jdbc.queryForObject(
                                        """
                                        select exists (select 1 from hidden_reaction
                                                       where  user_id = ?)
                                        """,
                                        Boolean.class,
                                        user)));
    }

    /** Writes judge by the change, or fail, when this has returned. */
    private void change(Runnable also, String sql, @Nullable Object... arguments) {
        gate.ask(
                () ->
                        transactions.execute(
                                _ -> {
                                    jdbc.update("update ban_version set version = version + 1");
                                    int changed = jdbc.update(sql, arguments);
                                    if (changed > 0) {
                                        also.run();
                                    }
                                    return changed;
                                }));
        reading.lock();
        try {
            known = UNREAD;
            reread();
        } catch (DataAccessException e) {
            LOG.debug("The changed bans cannot be read now: {}", e.toString());
        } finally {
            reading.unlock();
        }
    }
}
