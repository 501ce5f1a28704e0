package dev.ovation.web.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.BusyProcessors;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.StaticApplicationContext;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

@Isolated
class AdmissionControlTest {

    private static final int RUNNABLE = 3;
    private static final int REQUESTS = 17 * RUNNABLE * BusyProcessors.count();

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AdmissionControl admission =
            new AdmissionControl(this::begin, work -> !(work instanceof GoesOn), RUNNABLE);

    private interface GoesOn extends Runnable {}

    private void begin(Runnable request) {
        begun.incrementAndGet();
        Thread.ofVirtual().start(request);
    }

    @Test
    void requestsBeyondTheRunQueueLimitWait() {
        try (var _ = BusyProcessors.all()) {
            come(ended::incrementAndGet);

            assertThat(begun).hasValueLessThanOrEqualTo(RUNNABLE * BusyProcessors.count());
            assertThat(admission.waiting()).isEqualTo(REQUESTS - begun.get());
        }

        awaitAll();
        assertThat(admission.waiting()).isZero();
    }

    @Test
    void blockedThreadsDoNotCount() {
        var something = new CountDownLatch(1);
        var here = new AtomicInteger();

        try (var _ = BusyProcessors.all()) {
            come(
                    () -> {
                        here.incrementAndGet();
                        await(something);
                        ended.incrementAndGet();
                    });
        }

        Wait.until("all have begun", () -> here.get() == REQUESTS);
        assertThat(ended).hasValue(0);
        something.countDown();
        awaitAll();
    }

    @Test
    void workOfABegunRequestNeverWaits() {
        try (var _ = BusyProcessors.all()) {
            come(ended::incrementAndGet);
            int before = begun.get();

            admission.execute((GoesOn) () -> {});

            assertThat(begun).hasValue(before + 1);
        }
    }

    @Test
    void aStopAdmitsAllRequests() {
        try (var _ = BusyProcessors.all()) {
            come(ended::incrementAndGet);

            admission.onApplicationEvent(closed());

            assertThat(begun).hasValue(REQUESTS);
            assertThat(admission.waiting()).isZero();
        }
    }

    @Test
    void aStopWaitsForTheBeginningOfOneThatIsNoLongerInTheQueue() {
        var taken = new CountDownLatch(1);
        var goesOn = new CountDownLatch(1);
        var slow =
                new AdmissionControl(
                        request -> {
                            taken.countDown();
                            await(goesOn);
                            begin(request);
                        },
                        _ -> true,
                        RUNNABLE);
        try (var _ = BusyProcessors.all()) {
            for (int i = 0; i < RUNNABLE * BusyProcessors.count(); i++) {
                Thread.ofVirtual().start(() -> {});
            }
            slow.execute(ended::incrementAndGet);
            assertThat(slow.waiting()).isOne();
        }
        await(taken); // the thread of the admission control has it now
        var begunAtItsEnd = new AtomicInteger();
        var stop =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    slow.onApplicationEvent(closed());
                                    begunAtItsEnd.set(begun.get());
                                });

        Wait.until(
                "the stop waits or has ended",
                stop::getState,
                state -> state == Thread.State.WAITING || state == Thread.State.TERMINATED);
        goesOn.countDown();

        Wait.until("the stop has ended", () -> !stop.isAlive());
        assertThat(begunAtItsEnd).hasValue(1);
    }

    @Test
    void aRequestWithoutAThreadStaysInTheQueue() {
        var threads = new AtomicBoolean();
        var narrow =
                new AdmissionControl(
                        request -> {
                            if (!threads.get()) {
                                throw new RejectedExecutionException("no thread, by the test");
                            }
                            begin(request);
                        },
                        _ -> true,
                        RUNNABLE);
        try (var _ = BusyProcessors.all()) {
            for (int i = 0; i < RUNNABLE * BusyProcessors.count(); i++) {
                begin(() -> {});
            }
            narrow.execute(ended::incrementAndGet);
            assertThat(narrow.waiting()).isOne();
        }
        threads.set(true);

        narrow.onApplicationEvent(closed());

        Wait.until("it has begun", () -> ended.get() == 1);
    }

    @Test
    void aFailedRequestAdmitsTheNext() {
        try (var _ = BusyProcessors.all()) {
            come(
                    () -> {
                        ended.incrementAndGet();
                        Thread.currentThread().setUncaughtExceptionHandler((_, _) -> {});
                        throw new IllegalStateException("a request that fails");
                    });
        }

        awaitAll();
    }

    @Test
    void aLimitBelowOneIsRefused() {
        assertThatThrownBy(() -> new AdmissionControl(this::begin, _ -> true, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void come(Runnable request) {
        for (int i = 0; i < REQUESTS; i++) {
            admission.execute(request);
        }
    }

    private static ContextClosedEvent closed() {
        return new ContextClosedEvent(new StaticApplicationContext());
    }

    private void awaitAll() {
        Wait.until("all have ended", () -> ended.get() == REQUESTS);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
