package dev.ovation.moderation;

import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
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
 * was not read for a second, and the table if it changed. So a ban is in force on every instance a
 * second after the answer to its request.
 */
public final class Bans {

    private static final Logger LOG = LoggerFactory.getLogger(Bans.class);
    private static final long FRESH_NANOS = 1_000_000_000L;
    private static final String ALL = "";

    private final JdbcTemplate jdbc;
    private final TransactionOperations transactions;
    private final PostgresBulkhead gate;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile BanList known = new BanList(-1, Map.of(), 0);

    Bans(JdbcTemplate jdbc, TransactionOperations transactions, PostgresBulkhead gate) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.gate = gate;
    }

    /** What happens to the reactions of a banned user. */
    enum BanEffect {
        KEEP,
        HIDE,
        REMOVE
    }

    /** A user in a namespace; an empty one stands for all. */
    private record Banned(String user, String namespace) {}

    private record BanList(long version, Map<Banned, Instant> ends, long readAt) {
        boolean isFresh() {
            return version >= 0 && System.nanoTime() - readAt < FRESH_NANOS;
        }
    }

    /**
     * Refuses a banned user.
     *
     * @throws dev.ovation.web.problem.ProblemException 403 {@code user-banned}
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

    /** One writer reads the list; others use the earlier one, unless there is none. */
    private BanList current() {
        BanList list = known;
        if (list.isFresh()) {
            return list;
        }
        if (list.version < 0) {
            reading.lock();
        } else if (!reading.tryLock()) {
            return list;
        }
        try {
            if (!known.isFresh()) {
                known = gate.ask(this::read);
            }
        } catch (DataAccessException e) {
            if (known.version < 0) {
                throw e;
            }
            LOG.debug("The bans cannot be read now: {}", e.toString());
        } finally {
            reading.unlock();
        }
        return known;
    }

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
     */
    void ban(String user, @Nullable String namespace, @Nullable Instant until, BanEffect effect) {
        change(
                """
                insert into user_ban (user_id, namespace, until, reactions)
                values (?, ?, ?, ?)
                on conflict (user_id, namespace)
                do update set until = excluded.until, reactions = excluded.reactions
                """,
                user,
                namespace == null ? ALL : namespace,
                until == null ? null : until.atOffset(ZoneOffset.UTC),
                effect.name().toLowerCase(Locale.ROOT));
    }

    /** Lifts a ban; there may be none. */
    void lift(String user, @Nullable String namespace) {
        change(
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
                                        select exists (select from hidden_reaction
                                                       where  user_id = ?)
                                        """,
                                        Boolean.class,
                                        user)));
    }

    private void change(String sql, @Nullable Object... arguments) {
        gate.ask(
                () ->
                        transactions.execute(
                                _ -> {
                                    jdbc.update(sql, arguments);
                                    return jdbc.update(
                                            "update ban_version set version = version + 1");
                                }));
        reading.lock();
        try {
            known = gate.ask(this::read);
        } finally {
            reading.unlock();
        }
    }
}
