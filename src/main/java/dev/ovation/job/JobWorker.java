package dev.ovation.job;

import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.job.Job.JobState;
import dev.ovation.job.JobHandler.StepOutcome;
import dev.ovation.start.StartPhase;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.transaction.TransactionException;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Acquires jobs and runs them, on threads of its own or of the caller. Each {@link JobHandler} has
 * its own threads: an erasure does not wait until imports are done.
 */
public final class JobWorker implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(JobWorker.class);
    private static final long BUSY_MILLIS = 10;

    /** How often within its time a lease is renewed. */
    private static final int LEASES_RENEWED = 3;

    /** Failures in a row that are the job's own, not those of a server that is away. */
    private static final int TRIES = 5;

    /** Tries to acknowledge a job that has ended before other jobs have their turn. */
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
        for (JobHandler work : works) {
            for (int i = 0; i < settings.maxConcurrent(); i++) {
                String name = "worker-" + (threads.size() + 1);
                threads.add(Thread.ofPlatform().name(name).start(() -> runAll(work.kinds())));
            }
        }
        threads.add(Thread.ofPlatform().name("worker-leases").start(this::renewLeases));
    }

    /**
     * Between two pieces; jobs that are not at their end are left to others. Pieces under way are
     * waited for, all of them together for as long as a lease.
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

    private void runAll(Set<String> kinds) {
        try {
            boolean stopped = false;
            while (!stopped) {
                JobLease lease = next(kinds);
                if (lease != null) {
                    run(lease, () -> stopping.getCount() > 0);
                }
                stopped = pause(lease != null ? 0 : settings.poll().toMillis());
            }
        } catch (InterruptedException e) {
            LOG.debug("A worker was interrupted");
        }
    }

    /** A piece may take longer than a lease, and would be begun elsewhere again and again. */
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
            LOG.debug("Job {} is not held, or Postgres is away: {}", lease.id(), e.getMessage());
        }
    }

    private @Nullable JobLease next(Set<String> kinds) {
        try {
            return jobs.acquire(kinds);
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("No job can be taken up now: {}", e.getMessage());
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
        LOG.info("Job {} is taken up", lease.id());
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
                    LOG.info("Job {} has come to its end", lease.id());
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
                LOG.info("Job {} is left: {}", lease.id(), e.getMessage());
                return;
            } catch (RuntimeException e) {
                sure = false;
                failures = isOfAServer(e) ? 0 : failures + 1;
                LOG.debug("A piece of job {} failed", lease.id(), e);
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
                .orElseThrow(() -> new IllegalStateException("nobody knows " + job.kind()));
    }

    /** The error comes from a server that is away or slow: the job continues when it is back. */
    private static boolean isOfAServer(RuntimeException e) {
        return e instanceof RedisUnavailableException
                || e instanceof TransactionException
                || (e instanceof DataAccessException
                        && !(e instanceof DataIntegrityViolationException)
                        && !(e instanceof InvalidDataAccessResourceUsageException));
    }

    /** Without the message, which may quote what the job is about. */
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
            LOG.debug("Job {} is left as it is", lease.id(), lost);
        }
    }

    private static void release(JobLease lease) {
        try {
            lease.release();
        } catch (RuntimeException e) {
            LOG.debug("Job {} is free when its lease ends", lease.id(), e);
        }
    }

    /** Returns whether the worker is to stop. */
    private boolean pause(long millis) throws InterruptedException {
        return stopping.await(millis, TimeUnit.MILLISECONDS);
    }
}
