package dev.ovation.background;

import dev.ovation.background.BackgroundWork.StepResult;
import dev.ovation.store.postgres.PostgresReason;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/** A job as this instance knows it: its delay, and the time that this instance worked on it. */
final class BackgroundJob {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundJob.class);
    private static final double NANOS = 1e9;

    private final BackgroundWork work;
    private final Duration behind;
    private final Counter time;
    private boolean failing;
    private boolean warned;

    /**
     * The time at which the job was due, by {@link System#nanoTime}; so the delay grows while the
     * table cannot be read.
     */
    private volatile long dueAt;

    private volatile boolean known;

    BackgroundJob(BackgroundWork work, Duration behind, MeterRegistry registry) {
        this.work = work;
        this.behind = behind;
        time =
                Counter.builder("ovation.background.time")
                        .description("Time that this instance worked on a job")
                        .baseUnit("seconds")
                        .tag("job", work.name())
                        .register(registry);
        Gauge.builder("ovation.background.lag", this, BackgroundJob::lag)
                .description("How long a job has waited for its turn, or for the end of its work")
                .baseUnit("seconds")
                .tag("job", work.name())
                .register(registry);
    }

    String name() {
        return work.name();
    }

    BackgroundWork work() {
        return work;
    }

    /** Returns the delay in seconds; unknown before the first read. */
    double lag() {
        return known ? Math.max(0, (System.nanoTime() - dueAt) / NANOS) : Double.NaN;
    }

    boolean isBehind() {
        return lag() > behind.toNanos() / NANOS;
    }

    /** Records the delay; called by the thread that executes the job. */
    void isLate(Duration late) {
        dueAt = System.nanoTime() - late.toNanos();
        known = true;
        if (isBehind() && !warned) {
            LOG.warn(
                    "Background work falls behind: {} by {} s; ovation.background.share bounds it",
                    name(),
                    late.toSeconds());
            warned = true;
        } else if (warned && !isBehind()) {
            LOG.info("Background work catches up: {}", name());
            warned = false;
        }
    }

    void worked(double seconds) {
        time.increment(seconds);
    }

    /** Executes a step. A failure is logged once, and so is the recovery. */
    StepResult step(Turn turn) throws InterruptedException {
        try {
            StepResult progress = work.step(turn);
            if (failing) {
                LOG.info("Background work goes on: {}", name());
                failing = false;
            }
            return progress;
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.warn("Background work fails: {}: {}", name(), PostgresReason.of(e));
                failing = true;
            }
            return StepResult.LATER;
        }
    }

    boolean isFailing() {
        return failing;
    }
}
