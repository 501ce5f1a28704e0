package dev.ovation.hot.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.store.postgres.PostgresBulkhead.BusyException;
import dev.ovation.testing.BusyProcessors;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

@Isolated
class LoadQueueTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<String> order = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch held = new CountDownLatch(1);
    private Duration linger = Duration.ZERO;
    private final List<Integer> statements = Collections.synchronizedList(new ArrayList<>());
    private LoadQueue<Supplier<Object>, Object> queue = queue(1, 1, 100, LONG);

    private LoadQueue<Supplier<Object>, Object> queue(
            int running, int together, int waiting, Duration patience) {
        return new LoadQueue<>(
                new LoadSettings(running, together, linger, waiting, patience),
                wanted -> {
                    statements.add(wanted.size());
                    return wanted.stream().map(Supplier::get).toList();
                });
    }

    @Test
    void theOneForWhichMostRequestsWaitGoesFirst() {
        hold("first");
        waiting("cold", 0);
        waiting("warm", 2);
        waiting("hot", 5);

        held.countDown();

        assertOrder("first", "hot", "warm", "cold");
    }

    @Test
    void equallyHotLoadsRunInOrderOfArrival() {
        hold("first");
        waiting("a", 1);
        waiting("b", 1);
        waiting("c", 1);

        held.countDown();

        assertOrder("first", "a", "b", "c");
    }

    @Test
    void everyFourthTurnIsForTheOneThatWaitsLongest() {
        hold("first");
        waiting("cold", 0);
        for (String hot : List.of("a", "b", "c", "d", "e")) {
            waiting(hot, 1);
        }

        held.countDown();

        assertOrder("first", "a", "b", "c", "cold", "d", "e");
    }

    @Test
    void expiredWaitersDoNotAddToTheHeatOfALoad() {
        hold("first");
        waiting("a", 1);
        waiting("b", 0);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> queue.await("b", Duration.ofNanos(1)))
                    .isInstanceOf(BusyException.class);
        }

        held.countDown();

        assertOrder("first", "a", "b");
    }

    @Test
    void neverMoreRunThanMayRun() {
        queue = queue(3, 1, 377, LONG);
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        var loads = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < 377; i++) {
            String lease = "" + i;
            loads.add(
                    meanwhile(
                            () ->
                                    load(
                                            lease,
                                            () -> {
                                                most.accumulateAndGet(
                                                        now.incrementAndGet(), Math::max);
                                                await(held);
                                                return now.decrementAndGet();
                                            })));
        }
        Wait.until("three run", () -> now.get() == 3 && queue.waiting() == 374);

        held.countDown();

        loads.forEach(CompletableFuture::join);
        assertThat(most).hasValue(3);
        Wait.until("none is left", () -> queue.running() == 0);
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void theNextAfterTheLastThatMayWaitIsRefusedAtOnce() {
        queue = queue(1, 1, 1, LONG);
        hold("first");
        waiting("second", 0);

        assertThatThrownBy(() -> load("third", () -> "")).isInstanceOf(BusyException.class);

        held.countDown();
        assertOrder("first", "second");
    }

    @Test
    void aLoadWithoutATurnInTimeIsRefusedAndRemoved() {
        queue = queue(1, 1, 1, Duration.ofMillis(1));
        hold("first");

        assertThatThrownBy(() -> load("second", () -> "")).isInstanceOf(BusyException.class);
        assertThat(queue.waiting()).isZero();

        held.countDown();
        assertOrder("first");
    }

    @Test
    void aFailedLoadFailsAllItsWaitersAndFreesItsPlace() {
        var failing =
                meanwhile(
                        () ->
                                load(
                                        "first",
                                        () -> {
                                            await(held);
                                            throw new IllegalStateException("no answer");
                                        }));
        Wait.until("it runs", () -> queue.running() == 1);
        var waiting = meanwhile(() -> queue.await("first", LONG));
        Wait.until("it is waited for", () -> queue.heat("first") == 2);

        held.countDown();

        assertThat(failing).failsWithin(LONG);
        assertThatThrownBy(waiting::join).hasRootCauseMessage("no answer");
        assertThat(load("second", () -> "loaded")).isEqualTo("loaded");
    }

    @Test
    void anInterruptedOneLeavesItsPlaceToOthers() {
        hold("first");
        var second =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        assertThatThrownBy(() -> load("second", () -> ""))
                                                .isInstanceOf(BusyException.class));
        Wait.until("it waits", () -> queue.waiting() == 1);

        second.interrupt();

        Wait.until("the waiter has left", () -> queue.waiting() == 0);
        held.countDown();
        Wait.until("none is left", () -> queue.running() == 0);
        assertThat(load("third", () -> "loaded")).isEqualTo("loaded");
    }

    /** Otherwise many requests would prevent loads from releasing their places, eight in all. */
    @Test
    void aLoadEndsWhileRequestsHaveAllProcessors() {
        hold("first");

        try (var _ = BusyProcessors.all()) {
            held.countDown();

            assertOrder("first");
        }
    }

    @Test
    void waitingLoadsAreReadInBatchesHottestFirst() {
        queue = queue(1, 2, 100, LONG);
        hold("first");
        waiting("cold", 0);
        waiting("hot", 2);
        waiting("warm", 1);

        held.countDown();

        assertOrder("first", "hot", "warm", "cold");
        assertThat(statements).containsExactly(1, 2, 1);
    }

    @Test
    void arrivingLoadsWaitForTheNextStatementDespiteFreePlaces() {
        linger = LONG;
        queue = queue(8, 8, 100, LONG);
        hold("first");
        waiting("a", 0);
        waiting("b", 0);

        held.countDown();

        assertOrder("first", "a", "b");
        assertThat(statements).containsExactly(1, 2);
    }

    @Test
    void aLoadBeginsBesideASlowStatementAfterTheLingerTime() {
        queue = queue(2, 8, 100, LONG);
        hold("first");

        assertThat(load("second", () -> "loaded")).isEqualTo("loaded");

        held.countDown();
        assertOrder("first");
    }

    @Test
    void aLoadBeginsAtOnceWhenTheNextStatementIsFull() {
        linger = LONG;
        queue = queue(2, 2, 100, LONG);
        hold("first");
        waiting("a", 0);
        waiting("b", 0);

        assertThat(load("c", () -> order.add("c"))).isEqualTo(true);

        Wait.until("the waiting loads were continued", () -> queue.running() == 1);
        held.countDown();
        assertOrder("first", "c", "a", "b");
        assertThat(statements).containsExactly(1, 1, 2);
    }

    @Test
    void whereNoneMayWaitAllPlacesAreTaken() {
        queue = queue(2, 8, 0, LONG);
        hold("first");

        assertThat(load("second", () -> "loaded")).isEqualTo("loaded");

        held.countDown();
        assertOrder("first");
    }

    @Test
    void eachIsAnsweredItsOwn() {
        queue = queue(1, 8, 100, LONG);
        hold("first");
        var a = new CompletableFuture<Object>();
        var b = new CompletableFuture<Object>();
        meanwhile(() -> a.complete(load("a", () -> "answer of a")));
        meanwhile(() -> b.complete(load("b", () -> "answer of b")));
        Wait.until("they wait", () -> queue.waiting() == 2);

        held.countDown();

        assertThat(a).succeedsWithin(LONG).isEqualTo("answer of a");
        assertThat(b).succeedsWithin(LONG).isEqualTo("answer of b");
    }

    @Test
    void aFailedStatementFailsAllItsLoads() {
        queue = queue(1, 8, 100, LONG);
        hold("first");
        var failed =
                meanwhile(
                        () ->
                                load(
                                        "a",
                                        () -> {
                                            throw new IllegalStateException("no answer");
                                        }));
        var beside = meanwhile(() -> load("b", () -> ""));
        Wait.until("they wait", () -> queue.waiting() == 2);

        held.countDown();

        assertThatThrownBy(failed::join).hasRootCauseMessage("no answer");
        assertThatThrownBy(beside::join).hasRootCauseMessage("no answer");
        assertThat(load("c", () -> "loaded")).isEqualTo("loaded");
    }

    @Test
    void aFailedInstallationDoesNotFailOtherLoads() {
        queue = queue(1, 8, 100, LONG);
        hold("first");
        var failed =
                meanwhile(
                        () ->
                                queue.load(
                                        "a",
                                        () -> "",
                                        _ -> {
                                            throw new IllegalStateException("no Redis");
                                        }));
        Wait.until("it waits", () -> queue.waiting() == 1);
        var installed = new CompletableFuture<Object>();
        var beside = meanwhile(() -> queue.load("b", () -> "found", installed::complete));
        Wait.until("they wait", () -> queue.waiting() == 2);

        held.countDown();

        assertThatThrownBy(failed::join).hasRootCauseMessage("no Redis");
        beside.join();
        assertThat(installed).isCompletedWithValue("found");
    }

    @Test
    void aLoadOfAnotherInstanceIsNotAwaited() {
        assertThat(queue.await("foreign", LONG)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2", "6, 4", "12, 8", "60, 8"})
    void loadsTakeAtMostTwoThirdsOfTheQueries(int queries, int loads) {
        var settings = new LoadSettings(8, 16, Duration.ZERO, 500, LONG);

        assertThat(settings.within(queries).maxConcurrent()).isEqualTo(loads);
    }

    @Test
    void invalidSettingsAreRefused() {
        assertThatThrownBy(() -> queue(0, 1, 1, LONG)).hasMessageContaining("max-concurrent");
        assertThatThrownBy(() -> queue(1, 0, 1, LONG)).hasMessageContaining("batch-size");
        linger = Duration.ofMillis(-1);
        assertThatThrownBy(() -> queue(1, 1, 1, LONG)).hasMessageContaining("linger");
        linger = Duration.ofMillis(2);
        assertThatThrownBy(() -> queue(1, 1, 1, Duration.ofMillis(1)))
                .hasMessageContaining("linger");
    }

    private Object load(String lease, Supplier<Object> found) {
        return queue.load(lease, found, _ -> {});
    }

    /** A load that runs until the test releases it. */
    private void hold(String lease) {
        meanwhile(
                () ->
                        load(
                                lease,
                                () -> {
                                    order.add(lease);
                                    await(held);
                                    return "";
                                }));
        // It counts as running before its thread starts.
        Wait.until("it runs", () -> order.contains(lease));
    }

    /** A load that waits for its turn, and other requests that wait for it. */
    private void waiting(String lease, int others) {
        int before = queue.waiting();
        meanwhile(() -> load(lease, () -> order.add(lease)));
        Wait.until("it waits", () -> queue.waiting() == before + 1);
        for (int i = 0; i < others; i++) {
            meanwhile(() -> queue.await(lease, LONG));
        }
        Wait.until("they wait too", () -> queue.heat(lease) == 1 + others);
    }

    private void assertOrder(String... leases) {
        Wait.until("all have ended", () -> queue.running() == 0);
        assertThat(order).containsExactly(leases);
    }

    private static CompletableFuture<Void> meanwhile(Runnable something) {
        var done = new CompletableFuture<Void>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                something.run();
                                done.complete(null);
                            } catch (Throwable e) {
                                done.completeExceptionally(e);
                            }
                        });
        return done;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
