package dev.ovation.job;

import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.job.Job.JobState;
import dev.ovation.job.JobHandler.StepOutcome;
import dev.ovation.start.StartPhase;
import dev.ovation.start.StoppedBeside;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.transaction.TransactionException;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Acquires jobs and executes them, on threads of its own or of the caller. Each {@link JobHandler}
 * has its own threads: an erasure does not wait until imports are done. One thread looks for jobs
 * of all kinds, and wakes those of their handlers.
 */
public final class JobWorker implements StoppedBeside {

    private static final Logger LOG = LoggerFactory.getLogger(JobWorker.class);
    private static final long BUSY_MILLIS = 10;

    /** Renewals of a lease within its time. */
    private static final int LEASES_RENEWED = 3;

    /**
     * Consecutive failures after which a job fails; failures of an unavailable server do not count.
     */
    private static final int TRIES = 5;

    /** Consecutive tries to acknowledge an ended job before other jobs have their turn. */
    private static final int REACKNOWLEDGEMENTS = 100;

    private final JobTable jobs;
    private final List<JobHandler> works;
    private final JobSettings settings;
    private final List<Thread> threads = new ArrayList<>();
    private final Set<JobLease> held = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch stopping = new CountDownLatch(0);

    JobWorker(JobTable jobs, List<JobHandler> works, JobSettings settings) {
        this.jobs = jobs;
        this.settings = settings;
        this.works = List.copyOf(works);
    }

    @Override
    public synchronized void start() {
        stopping = new CountDownLatch(1);
        var wakes = new HashMap<Set<String>, Semaphore>();
        for (JobHandler work : works) {
            var wake = wakes.computeIfAbsent(work.kinds(), _ -> new Semaphore(0));
            for (int i = 0; i < settings.maxConcurrent(); i++) {
                String name = "worker-" + (threads.size() + 1);
                threads.add(Thread.ofPlatform().name(name).start(() -> runAll(work.kinds(), wake)));
            }
        }
        threads.add(Thread.ofPlatform().name("worker-watch").start(() -> watch(wakes)));
        threads.add(Thread.ofPlatform().name("worker-leases").start(this::renewLeases));
    }

    /**
     * Stops between two steps; other instances continue the jobs. Running steps are waited for, all
     * of them together for the time of a lease.
     */
    @Override
    public synchronized void stop() {
        stopping.countDown();
        long end = System.nanoTime() + settings.lease().toNanos();
        try {
            for (Thread thread : threads) {
                var _ = thread.join(Duration.ofNanos(end - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.clear();
    }

    @Override
    public boolean isRunning() {
        return stopping.getCount() > 0;
    }

    /** Stops before the relay, which it needs. */
    @Override
    public int getPhase() {
        return StartPhase.BACKGROUND;
    }

    /** Wakes a worker of each handler that has jobs to acquire; at the stop all workers. */
    private void watch(Map<Set<String>, Semaphore> wakes) {
        try {
            do {
                Set<String> waiting = waiting();
                wakes.forEach(
                        (kinds, wake) -> {
                            if (wake.availablePermits() == 0
                                    && !Collections.disjoint(kinds, waiting)) {
                                wake.release();
                            }
                        });
            } while (!pause(settings.poll().toMillis()));
        } catch (InterruptedException e) {
            LOG.debug("The watch of jobs was interrupted");
        } finally {
            wakes.values().forEach(wake -> wake.release(settings.maxConcurrent()));
        }
    }

    private Set<String> waiting() {
        try {
            return jobs.waiting();
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("No job can be found now: {}", e.getMessage());
            return Set.of();
        }
    }

    private void runAll(Set<String> kinds, Semaphore wake) {
        try {
            while (stopping.getCount() > 0) {
                wake.acquire();
                JobLease lease = stopping.getCount() > 0 ? next(kinds) : null;
                if (lease != null) {
                    wake.release(); // there may be another job, for this worker or the next
                    run(lease, () -> stopping.getCount() > 0);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("A worker was interrupted");
        }
    }

    /**
     * Renews the lease during a step. Otherwise a step longer than a lease would start on other
     * instances again and again.
     */
    private void renewLeases() {
        try {
            while (!pause(settings.lease().toMillis() / LEASES_RENEWED)) {
                for (JobLease lease : held) {
                    renew(lease);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("Leases are not renewed any more");
        }
    }

    private static void renew(JobLease lease) {
        try {
            var _ = lease.renew();
        } catch (RuntimeException e) {
            LOG.debug(
                    "The lease of job {} is lost, or Postgres is down: {}",
                    lease.id(),
                    e.getMessage());
        }
    }

    private @Nullable JobLease next(Set<String> kinds) {
        try {
            return jobs.acquire(kinds);
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("No job can be acquired now: {}", e.getMessage());
            return null;
        }
    }

    /**
     * Runs a job that the caller holds, on this thread, and then releases it.
     *
     * @param atMost time limit; a free worker of any instance does the rest
     */
    public void run(JobLease lease, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        run(lease, () -> stopping.getCount() > 0 && System.nanoTime() < end);
    }

    private void run(JobLease lease, BooleanSupplier mayContinue) throws InterruptedException {
        LOG.info("Job {} is acquired", lease.id());
        held.add(lease);
        try {
            stepByStep(lease, mayContinue);
        } finally {
            held.remove(lease);
        }
    }

    private void stepByStep(JobLease lease, BooleanSupplier mayContinue)
            throws InterruptedException {
        boolean sure = false;
        int failures = 0;
        int unacknowledged = 0;
        while (mayContinue.getAsBoolean()) {
            try {
                Job job = lease.renew();
                StepOutcome outcome =
                        sure || reacknowledge(job) ? step(job, lease) : StepOutcome.BUSY;
                if (outcome == StepOutcome.ENDED) {
                    LOG.info("Job {} has ended", lease.id());
                    return;
                }
                if (outcome == StepOutcome.LATER) {
                    lease.defer();
                    return;
                }
                sure |= outcome == StepOutcome.MORE;
                failures = 0;
                if (outcome == StepOutcome.BUSY) {
                    if (job.isOver() && ++unacknowledged == REACKNOWLEDGEMENTS) {
                        lease.defer();
                        return;
                    }
                    pause(BUSY_MILLIS);
                }
            } catch (JobLeaseLostException e) {
                LOG.info("Job {} is no longer held: {}", lease.id(), e.getMessage());
                return;
            } catch (RuntimeException e) {
                sure = false;
                failures = isOfAServer(e) ? 0 : failures + 1;
                LOG.debug("A step of job {} failed", lease.id(), e);
                if (failures >= TRIES) {
                    fail(lease, e);
                    return;
                }
                pause(settings.poll().toMillis());
            }
        }
        release(lease);
    }

    private boolean reacknowledge(Job job) throws InterruptedException {
        return work(job).reacknowledge(job);
    }

    private StepOutcome step(Job job, JobLease lease) throws InterruptedException {
        if (job.isOver()) {
            lease.settle();
            return StepOutcome.ENDED;
        }
        return work(job).step(job, lease);
    }

    private JobHandler work(Job job) {
        return works.stream()
                .filter(work -> work.kinds().contains(job.kind()))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "no feature runs jobs of the kind " + job.kind()));
    }

    /**
     * Returns whether the cause is an unavailable or slow server: the job continues when the server
     * is back.
     */
    private static boolean isOfAServer(RuntimeException e) {
        return e instanceof RedisUnavailableException
                || e instanceof TransactionException
                || (e instanceof DataAccessException
                        && !(e instanceof DataIntegrityViolationException)
                        && !(e instanceof InvalidDataAccessResourceUsageException));
    }

    /** Logs without the message, which may quote data of the job. */
    private void fail(JobLease lease, RuntimeException e) {
        LOG.error("Job {} failed: {}", lease.id(), e.getClass().getName());
        try {
            Job job = lease.renew();
            if (job.isOver()) {
                lease.defer();
                return;
            }
            var report = (ObjectNode) job.report();
            report.put("error", "it failed: " + e.getClass().getSimpleName());
            lease.finish(JobState.FAILED, report);
        } catch (RuntimeException lost) {
            LOG.debug("Job {} failed, and its state cannot be saved", lease.id(), lost);
        }
    }

    private static void release(JobLease lease) {
        try {
            lease.release();
        } catch (RuntimeException e) {
            LOG.debug("Job {} is not released; its lease expires", lease.id(), e);
        }
    }

    /** Returns whether the worker is to stop. */
    private boolean pause(long millis) throws InterruptedException {
        return stopping.await(millis, TimeUnit.MILLISECONDS);
    }
}
