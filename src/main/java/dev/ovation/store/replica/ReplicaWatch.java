package dev.ovation.store.replica;

import dev.ovation.entity.Reasons;
import dev.ovation.start.StartPhase;
import dev.ovation.start.StoppedBeside;
import dev.ovation.store.postgres.PostgresReason;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Sends the beats of this instance to the primary, and looks for them on the replica. */
final class ReplicaWatch implements StoppedBeside {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaWatch.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final BeatTable table;
    private final Replica replica;
    private final Duration half;
    private final Reasons reasons = new Reasons();
    private boolean isPurged;
    private volatile @Nullable Instant unreadSince;
    private volatile boolean stopping;
    private @Nullable Thread thread;

    ReplicaWatch(BeatTable table, Replica replica, Duration interval) {
        this.table = table;
        this.replica = replica;
        this.half = interval.dividedBy(2);
    }

    /** Returns since when the primary is read instead; empty while the replica is read. */
    Optional<Instant> unreadSince() {
        return Optional.ofNullable(unreadSince);
    }

    /** Returns why the primary is read instead; empty while the replica is read. */
    Optional<String> unreadBecause() {
        return reasons.newest();
    }

    @Override
    public synchronized void start() {
        stopping = false;
        thread = Thread.ofPlatform().daemon().name("replica-watch").start(this::watch);
    }

    @Override
    public synchronized void stop() {
        stopping = true;
        Thread running = thread;
        thread = null;
        if (running == null) {
            return;
        }
        running.interrupt();
        try {
            var _ = running.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }

    @Override
    public int getPhase() {
        return StartPhase.BACKGROUND;
    }

    private void watch() {
        try {
            while (!stopping) {
                try {
                    String failure = beat();
                    Thread.sleep(half); // on its way to the replica
                    look(failure);
                } catch (RuntimeException e) {
                    LOG.error("The watch of the replica failed, will retry", e);
                }
                Thread.sleep(half);
            }
        } catch (InterruptedException e) {
            LOG.debug("The replica is not watched any more");
        }
    }

    /** Sends a beat; returns why it failed. */
    private @Nullable String beat() {
        try {
            table.write(replica.beats().instance(), replica.beats().next(System.nanoTime()));
        } catch (DataAccessException e) {
            return "the primary takes no beat: " + PostgresReason.of(e);
        }
        purge();
        return null;
    }

    private void purge() {
        try {
            if (!isPurged) {
                table.purge();
                isPurged = true;
            }
        } catch (DataAccessException e) {
            LOG.debug("Old beats stay for now: {}", PostgresReason.of(e));
        }
    }

    private void look(@Nullable String failure) {
        replica.look();
        String problem = replica.problem();
        if (!stopping) { // a stop interrupts what it asks
            note(problem == null || failure == null ? problem : failure);
        }
    }

    private void note(@Nullable String problem) {
        if (problem == null) {
            if (unreadSince != null) {
                LOG.info("The replica of Postgres is read again");
                unreadSince = null;
            }
            reasons.clear();
            return;
        }
        if (unreadSince == null) {
            unreadSince = Instant.now();
        }
        if (reasons.add(problem)) {
            LOG.warn("The primary is read in place of the replica: {}", problem);
        }
    }
}
