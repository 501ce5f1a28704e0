package dev.ovation.grpc;

import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Observes whether the client of a call takes its answers. */
final class Uptake {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final ServerCallStreamObserver<?> out;
    private final Duration patience;
    private final Semaphore changes = new Semaphore(0);
    private volatile long lastReady = System.nanoTime();

    /** Observes a call whose client may take nothing for at most {@code patience}. */
    Uptake(ServerCallStreamObserver<?> out, Duration patience) {
        this.out = out;
        this.patience = patience;
    }

    /** Returns whether the client takes another answer now. */
    boolean isReady() {
        boolean ready = out.isReady();
        if (ready) {
            lastReady = System.nanoTime();
        }
        return ready;
    }

    /** Returns whether the client has taken nothing for too long. */
    boolean hasStopped() {
        return hasStopped(patience);
    }

    /** Returns whether the client has taken nothing for this time. */
    boolean hasStopped(Duration time) {
        return !isReady() && System.nanoTime() - lastReady > time.toNanos();
    }

    /** Wakes the thread that awaits the client: it takes more, or it has left. */
    void changed() {
        changes.release();
    }

    /**
     * Waits until the client takes another answer.
     *
     * @throws StatusRuntimeException CANCELLED when the client has left
     * @throws ProblemException 503 when it has taken nothing for too long
     */
    void await() {
        while (!isReady()) {
            if (out.isCancelled()) {
                throw Status.CANCELLED.asRuntimeException();
            }
            if (hasStopped()) {
                throw notTaken();
            }
            try {
                var _ = changes.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw Status.CANCELLED.withCause(e).asRuntimeException();
            }
        }
    }

    /** Returns the end of a call whose client does not take its answers. */
    static ProblemException notTaken() {
        return Problems.unavailable("the client did not take the answers in time", RETRY_AFTER);
    }
}
