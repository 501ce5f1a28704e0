package dev.ovation.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.store.PostgresGate.BusyException;
import dev.ovation.testing.BusyProcessors;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

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
    void ofEquallyHotOnesTheFirstThatCameGoesFirst() {
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
    void whoGivesUpWaitingMakesNothingHot() {
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
    void whoseTurnDoesNotComeInTimeIsRefusedAndForgotten() {
        queue = queue(1, 1, 1, Duration.ofMillis(1));
        hold("first");

        assertThatThrownBy(() -> load("second", () -> "")).isInstanceOf(BusyException.class);
        assertThat(queue.waiting()).isZero();

        held.countDown();
        assertOrder("first");
    }

    @Test
    void aFailureIsTheFailureOfAllWhoWaitAndFreesThePlace() {
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

        Wait.until("it left", () -> queue.waiting() == 0);
        held.countDown();
        Wait.until("none is left", () -> queue.running() == 0);
        assertThat(load("third", () -> "loaded")).isEqualTo("loaded");
    }

    /** Else a crowd would keep loads from giving back their places, eight in all. */
    @Test
    void aLoadEndsWhileRequestsHaveAllProcessors() {
        hold("first");

        try (var _ = BusyProcessors.all()) {
            held.countDown();

            assertOrder("first");
        }
    }

    @Test
    void whatWaitsIsReadTogetherTheHottestFirst() {
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
    void whatComesMeanwhileWaitsForTheNextStatementThoughMoreMayRun() {
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
    void whoHasWaitedAWhileBeginsBesideAStatementThatIsSlow() {
        queue = queue(2, 8, 100, LONG);
        hold("first");

        assertThat(load("second", () -> "loaded")).isEqualTo("loaded");

        held.countDown();
        assertOrder("first");
    }

    @Test
    void whoComesWhenTheNextStatementIsFullBeginsBeside() {
        linger = LONG;
        queue = queue(2, 2, 100, LONG);
        hold("first");
        waiting("a", 0);
        waiting("b", 0);

        assertThat(load("c", () -> order.add("c"))).isEqualTo(true);

        Wait.until("it went on with those that waited", () -> queue.running() == 1);
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
    void aFailedReadIsTheFailureOfAllWhoWereReadTogether() {
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
    void whatCannotBeInstalledFailsNobodyElse() {
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
    void nobodyWaitsForALoadOfAnotherInstance() {
        assertThat(queue.await("foreign", LONG)).isFalse();
    }

    @Test
    void whatCannotBeSetIsRefused() {
        assertThatThrownBy(() -> queue(0, 1, 1, LONG)).hasMessageContaining("running");
        assertThatThrownBy(() -> queue(1, 0, 1, LONG)).hasMessageContaining("together");
        linger = Duration.ofMillis(-1);
        assertThatThrownBy(() -> queue(1, 1, 1, LONG)).hasMessageContaining("linger");
        linger = Duration.ofMillis(2);
        assertThatThrownBy(() -> queue(1, 1, 1, Duration.ofMillis(1)))
                .hasMessageContaining("linger");
    }

    private Object load(String lease, Supplier<Object> found) {
        return queue.load(lease, found, _ -> {});
    }

    /** A load that runs until the test lets go. */
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
        // It counts as running before its thread does.
        Wait.until("it runs", () -> order.contains(lease));
    }

    /** A load that waits for its turn, and others who wait for it. */
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
