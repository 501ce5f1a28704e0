package dev.ovation.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.configuration.version.ConfigurationMetrics;
import dev.ovation.configuration.version.VersionPublisher;
import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Fences;
import dev.ovation.store.HeldConfigurations;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.testing.Wait;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One thread queries Postgres for newer rules while another needs them as well. */
class CurrentRulesTest {

    private static final long NEWER = 1;

    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    @AfterEach
    void letAnswer() {
        answer.countDown();
    }

    @Test
    void theOtherWaitsUntilTheFirstHasItsAnswer() throws Exception {
        CurrentRules rules = rules(Wait.BOUND);
        var first = ask(rules);
        var other = new CompletableFuture<Boolean>();
        Thread waits = Thread.ofPlatform().start(() -> other.complete(rules.catchUp(NEWER)));
        Wait.until("the other waits", waits::getState, Thread.State.TIMED_WAITING::equals);

        assertThat(waits.join(Duration.ofMillis(1_200)))
                .as("ended after the second that was once the bound")
                .isFalse();
        answer.countDown();

        assertThat(first.get()).isFalse();
        assertThat(other.get(Wait.BOUND.toSeconds(), TimeUnit.SECONDS)).isFalse();
        assertThat(asked).hasValue(2);
    }

    @Test
    void theOtherGivesUpAfterThePatienceForPostgres() throws Exception {
        CurrentRules rules = rules(Duration.ofMillis(10));
        var first = ask(rules);

        assertThatThrownBy(() -> rules.catchUp(NEWER))
                .isInstanceOf(CannotAcquireLockException.class);

        assertThat(first).isNotDone();
        answer.countDown();
        assertThat(first.get()).isFalse();
        assertThat(asked).hasValue(1);
    }

    private CompletableFuture<Boolean> ask(CurrentRules rules) {
        var asks = Stage.meanwhile(() -> rules.catchUp(NEWER));
        Wait.until("Postgres is queried", () -> asked.get() == 1);
        return asks;
    }

    private CurrentRules rules(Duration patience) {
        return new CurrentRules(
                HeldConfigurations.of(this::hold),
                new VersionPublisher(null, null, null),
                new ConfigurationMetrics(new SimpleMeterRegistry()),
                new PostgresBulkhead(2, 2, patience),
                new Fences(1));
    }

    private void hold() {
        asked.incrementAndGet();
        try {
            answer.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
