package dev.ovation.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Wait;

import io.micrometer.core.instrument.MeterRegistry;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

class AsyncJoinTest extends StrategyContract {

    AsyncJoinTest() {
        super("async-join");
    }

    /** Waits for the refresh at the start of the service; the next is due after an hour. */
    @BeforeAll
    void awaitTheFirstRefresh() {
        var refreshes = bean(MeterRegistry.class).get("ovation.view.refresh").timer();
        Wait.until("the view is refreshed", () -> refreshes.count() > 0);
    }

    @Override
    void settle() {
        ((AsyncJoin) bean(Strategy.class)).refresh();
    }

    @Test
    void countsAreOldUntilTheNextRefreshAndOnesOwnReactionsNever() {
        given("letters", "ann", "a");

        assertThat(shown("letters")).isEmpty();
        assertThat(own("letters", "ann")).containsExactly("a");
        assertThat(counts("letters")).containsEntry("a", 1L);
    }

    @Test
    void howOldCountsWereIsMeasured() {
        var age = bean(MeterRegistry.class).get("ovation.view.age").timer();
        long before = age.count();

        shown("letters");
        assertThat(age.count()).isEqualTo(before + 1);
        assertThat(age.totalTime(TimeUnit.NANOSECONDS)).isPositive();
    }
}
