package dev.ovation.background;

import dev.ovation.background.BackgroundWork.StepResult;
import dev.ovation.background.TurnTable.TurnRequest;
import dev.ovation.start.StartPhase;
import dev.ovation.start.StoppedBeside;
import dev.ovation.store.postgres.PostgresReason;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Executes all background jobs in the turns of this instance, each job on its own thread. */
final class Background implements StoppedBeside {

    private static final Logger LOG = LoggerFactory.getLogger(Background.class);

    /** Length of a turn in seconds; the step that exceeds it is the last one. */
    private static final double TURN = 0.025;

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final TurnTable turns;
    private final List<BackgroundJob> jobs;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;

    Background(TurnTable turns, List<BackgroundJob> jobs) {
        this.turns = turns;
        this.jobs = List.copyOf(jobs);
    }

    @Override
    public synchronized void start() {
        stopping = false;
        for (BackgroundJob job : jobs) {
            String name = "background-" + job.name();
            threads.add(Thread.ofPlatform().name(name).start(() -> workOn(job)));
        }
    }

    /** A stop waits a short time for all steps that run. */
    @Override
    public synchronized void stop() {
        stopping = true;
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            for (Thread thread : threads) {
                thread.interrupt();
                var _ = thread.join(Duration.ofNanos(end - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.clear();
    }

    @Override
    public synchronized boolean isRunning() {
        return !threads.isEmpty();
    }

    /** Stops before the relay, which some jobs need. */
    @Override
    public int getPhase() {
        return StartPhase.BACKGROUND;
    }

    private void workOn(BackgroundJob job) {
        boolean registered = false;
        try {
            while (!stopping) {
                Duration wait = RETRY;
                try {
                    if (!registered) {
                        turns.register(job.name(), job.work().interval());
                        registered = true;
                    }
                    wait = turn(job);
                } catch (RuntimeException e) {
                    registered = false; // a restored Postgres may lack the row
                    LOG.debug("No turn for {} now: {}", job.name(), PostgresReason.of(e));
                }
                Thread.sleep(wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait);
            }
        } catch (InterruptedException e) {
            LOG.debug("The work on {} ends", job.name());
        }
    }

    /**
     * Executes a job if it has a turn; returns the time until the next request for a turn is
     * useful.
     */
    Duration turn(BackgroundJob job) throws InterruptedException {
        TurnRequest asked = turns.take(job.name(), job.work().interval());
        job.isLate(asked.late());
        if (!asked.taken()) {
            return asked.pause();
        }
        var turn = new Turn();
        var progress = StepResult.LATER;
        try {
            do {
                progress = job.step(turn);
            } while (progress == StepResult.MORE && turn.worked() < TURN && !stopping);
        } finally {
            job.worked(turn.worked());
            double every = job.work().interval().toMillis() / 1e3;
            turns.end(
                    job.name(),
                    turn.worked(),
                    progress == StepResult.DONE ? Math.max(0, every - turn.elapsed()) : null);
        }
        if (progress == StepResult.LATER) {
            return job.isFailing() ? RETRY : PAUSE;
        }
        return Duration.ZERO;
    }
}
