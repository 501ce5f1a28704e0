package dev.ovation.store.replica;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;

import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.postgres.PostgresBulkhead.BusyException;
import dev.ovation.store.postgres.PostgresReason;
import dev.ovation.store.postgres.SessionlessTransactions;
import dev.ovation.store.replica.BeatTable.BeatsSeen;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The standby. Each read takes one snapshot there and reads the beats in it first: the beats say
 * how old the snapshot is, whichever server the address leads to. A standby that was promoted gets
 * no more beats from the primary, and is no standby.
 */
final class Replica implements AutoCloseable {

    /** Connections for the watch, the audit of the background, and the requested one. */
    private static final int RESERVED = 3;

    private static final int WAITING = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Two beats take no longer. */
    private static final Duration POSITION_PATIENCE = Duration.ofMillis(2_500);

    private static final long PAUSE_NANOS = 50_000_000;

    private final HikariDataSource pool;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate snapshot;
    private final PostgresBulkhead gate;
    private final Beats beats;
    private final long most;
    private volatile @Nullable String lostBecause;

    /**
     * Creates the standby.
     *
     * @param pool its connections, read-only
     */
    Replica(HikariDataSource pool, Beats beats, Duration maxStaleness) {
        this.pool = pool;
        this.jdbc = new JdbcTemplate(pool);
        this.snapshot = new TransactionTemplate(new SessionlessTransactions(pool));
        this.snapshot.setReadOnly(true);
        this.snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        this.gate = new PostgresBulkhead(pool.getMaximumPoolSize() - RESERVED, WAITING, PATIENCE);
        this.beats = beats;
        this.most = maxStaleness.toNanos();
    }

    /**
     * The answer to a question.
     *
     * @param refused null for an answer, otherwise the reason for none
     */
    record ReplicaAnswer<T>(@Nullable ReadCause refused, @Nullable T value) {}

    JdbcTemplate jdbc() {
        return jdbc;
    }

    Beats beats() {
        return beats;
    }

    /**
     * Answers a question from a snapshot that is new enough.
     *
     * @param from what the snapshot must include; null for nothing in particular
     * @param bounded whether the question waits for its turn with those of other requests
     * @throws BusyException when it has no turn in time
     */
    <T> ReplicaAnswer<T> ask(
            @Nullable ReplicaPosition from, boolean bounded, Supplier<T> question) {
        var least = from == null ? new ReplicaPosition(beats.instance(), 0) : from;
        ReadCause refused = known(least);
        if (refused != null) {
            return new ReplicaAnswer<>(refused, null);
        }
        Supplier<ReplicaAnswer<T>> reading =
                () -> Objects.requireNonNull(snapshot.execute(_ -> judged(least, question)));
        try {
            return bounded ? gate.ask(reading) : reading.get();
        } catch (BusyException e) {
            throw e; // the primary has no room for what the replica cannot take
        } catch (TransactionException e) {
            lostBecause = PostgresReason.of(e);
            return new ReplicaAnswer<>(ReadCause.FAILED, null);
        } catch (DataAccessException e) {
            return new ReplicaAnswer<>(ReadCause.FAILED, null); // maybe of this question only
        }
    }

    /** Returns the reason not to ask at all; null for none. */
    private @Nullable ReadCause known(ReplicaPosition least) {
        if (!isUsable()) {
            return ReadCause.STALE;
        }
        boolean own = least.instance().equals(beats.instance());
        return own && beats.seen() < least.beat() ? ReadCause.BEHIND : null;
    }

    private <T> ReplicaAnswer<T> judged(ReplicaPosition least, Supplier<T> question) {
        BeatsSeen seen = BeatTable.read(jdbc, beats.instance(), least.instance());
        if (!isNewEnough(seen)) {
            return new ReplicaAnswer<>(ReadCause.STALE, null);
        }
        return seen.other() < least.beat()
                ? new ReplicaAnswer<>(ReadCause.BEHIND, null)
                : new ReplicaAnswer<>(null, question.get());
    }

    private boolean isNewEnough(BeatsSeen seen) {
        if (!seen.isStandby()) {
            lostBecause = "the server is no standby";
            return false;
        }
        return beats.saw(seen.own(), System.nanoTime()) <= most;
    }

    /**
     * Returns the present position, and waits until the watch has seen it, if it is seen in time.
     */
    ReplicaPosition awaitPosition() {
        ReplicaPosition position = beats.position();
        long end = System.nanoTime() + POSITION_PATIENCE.toNanos();
        while (isUsable()
                && beats.seen() < position.beat()
                && System.nanoTime() < end
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return position;
    }

    /** Looks at the standby: whether it answers, is a standby, and how old it is. */
    void look() {
        try {
            var seen = BeatTable.read(jdbc, beats.instance(), beats.instance());
            var _ = isNewEnough(seen);
            if (seen.isStandby()) {
                lostBecause = null;
            } else {
                reconnect();
            }
        } catch (DataAccessException e) {
            lostBecause = PostgresReason.of(e);
        }
    }

    /** The address may lead to another server by now. */
    private void reconnect() {
        HikariPoolMXBean connections = pool.getHikariPoolMXBean();
        if (connections != null) {
            connections.softEvictConnections();
        }
    }

    /** Returns whether questions are asked. */
    boolean isUsable() {
        return lostBecause == null && beats.seen() > 0 && staleness() <= most;
    }

    /** Returns why no questions are asked; null while they are, and before the first beat. */
    @Nullable String problem() {
        String lost = lostBecause;
        if (lost != null) {
            return lost;
        }
        return staleness() > most ? "it does not follow the primary" : null;
    }

    /** Returns the greatest age, in nanoseconds, of a snapshot taken now. */
    long staleness() {
        return beats.age(System.nanoTime());
    }

    Duration maxStaleness() {
        return Duration.ofNanos(most);
    }

    @Override
    public void close() {
        pool.close();
    }
}
