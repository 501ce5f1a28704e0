package dev.ovation.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.access.Principal;
import dev.ovation.entity.Bound;
import dev.ovation.web.guard.Bulkhead.Permit;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Set;

class CallerBulkheadTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CallerBulkhead permits = new CallerBulkhead("imports", 2, new Refusals(registry));
    private final Principal loader = key("loader");

    @Test
    void aCallerHasTheseAndNoMore() {
        var _ = permits.take(loader);
        Permit second = permits.take(loader);
        assertRefused(loader);
        assertRefused(loader);

        second.close();
        second.close();
        var _ = permits.take(loader);
        assertRefused(loader);

        assertThat(
                        registry.get("ovation.requests.limited")
                                .tags("policy", "imports", "principal", "loader")
                                .counter()
                                .count())
                .isEqualTo(3);
    }

    @Test
    void oneCallerLeavesTheOthersTheirs() {
        var _ = permits.take(loader);
        var _ = permits.take(loader);

        var _ = permits.take(key("other"));
        var _ = permits.take(Principal.user("loader", Set.of(), null));
        assertRefused(loader);
    }

    @Test
    void oneCallerLeavesAPlaceToTheOthers() {
        CallerBulkhead ofTwo = permits.of(2);
        var _ = ofTwo.take(loader);
        assertThatThrownBy(() -> ofTwo.take(loader)).isInstanceOf(ProblemException.class);

        var _ = permits.of(1).take(loader);
        CallerBulkhead ofNine = permits.of(9);
        var _ = ofNine.take(loader);
        var _ = ofNine.take(loader);
        assertThatThrownBy(() -> ofNine.take(loader)).isInstanceOf(ProblemException.class);
    }

    @Test
    void oneCallerLeavesAnEighthOfSharedPermits() {
        CallerBulkhead share = CallerBulkhead.share("writes", 2_000);
        Permit all = share.take(loader, 1_749);
        var _ = share.take(loader);

        assertThatThrownBy(() -> share.take(loader))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> {
                            assertThat(problem.code()).isEqualTo(ProblemCode.UNAVAILABLE);
                            assertThat(problem.bound()).isEqualTo(Bound.PERMITS);
                        });
        assertThatThrownBy(() -> share.take(loader, 2_000)).isInstanceOf(ProblemException.class);
        var _ = share.take(key("other"), 250);

        all.close();
        var _ = share.take(loader, 1_749);
        assertThatThrownBy(() -> share.take(loader)).isInstanceOf(ProblemException.class);
    }

    @Test
    void aRequestForMoreThanTheShareTakesTheWholeShare() {
        CallerBulkhead share = CallerBulkhead.share("writes", 8);
        Permit batch = share.take(loader, 100);
        assertThatThrownBy(() -> share.take(loader)).isInstanceOf(ProblemException.class);

        batch.close();
        var _ = share.take(loader, 7);
    }

    @Test
    void whereNoCredentialIsAskedForThereAreAsManyAsAreWanted() {
        for (int i = 0; i < 10; i++) {
            var _ = permits.take(Principal.open());
        }
    }

    private void assertRefused(Principal who) {
        assertThatThrownBy(() -> permits.take(who))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> {
                            assertThat(problem.code()).isEqualTo(ProblemCode.RATE_LIMITED);
                            assertThat(problem.members()).containsEntry("policy", "imports");
                        });
    }

    private static Principal key(String id) {
        return Principal.backend(id, Set.of(), null, Map.of());
    }
}
