package dev.ovation.reaction.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.EntityState;
import dev.ovation.reaction.read.NearCache.CachedView;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.rules.RuleSet;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

class NearCacheTest {

    private static final EntityKey KEY = new EntityKey("posts", "1");
    private static final EntityView VIEW =
            new EntityView("1", "1.7", List.of(), null, List.of(), 0);
    private static final EntityState STATE = new EntityState(1, 7, "op", 0, List.of(), List.of());
    private static final RulesInForce RULES = rules();
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void aCachedViewIsReturned() {
        var near = cache(HOUR, 10);
        assertThat(near.get(KEY, null, RULES)).isNull();

        near.put(KEY, shown(System.nanoTime()));
        assertThat(near.get(KEY, null, RULES).version()).isEqualTo(VIEW.version());
        assertThat(near.get(new EntityKey("notes", "1"), null, RULES)).isNull();
    }

    @Test
    void givesNothingToAUser() {
        var near = cache(HOUR, 10);
        near.put(KEY, shown(System.nanoTime()));

        assertThat(near.get(KEY, "ann", RULES)).isNull();
        assertThat(near.get(KEY, null, RULES)).isNotNull();
    }

    /** The bound starts at the request, not at its answer. */
    @Test
    void givesNothingThatIsOlderThanItsBound() {
        var near = cache(HOUR, 10);
        near.put(KEY, shown(System.nanoTime() - HOUR.toNanos()));

        assertThat(near.get(KEY, null, RULES)).isNull();
    }

    @Test
    void theAgeIsInSecondsRoundedUp() {
        var near = cache(HOUR, 10);
        near.put(KEY, shown(System.nanoTime() - Duration.ofMillis(600_001).toNanos()));

        assertThat(near.get(KEY, null, RULES).ageSeconds()).isGreaterThanOrEqualTo(601);
    }

    @Test
    void givesNothingThatOtherRulesShowed() {
        var near = cache(HOUR, 10);
        near.put(KEY, shown(System.nanoTime()));

        assertThat(near.get(KEY, null, rules())).isNull();
    }

    @Test
    void aLocalChangeRemovesTheCachedView() {
        var near = cache(HOUR, 10);
        near.put(KEY, shown(System.nanoTime()));
        near.forget(KEY);

        assertThat(near.get(KEY, null, RULES)).isNull();
    }

    @Test
    void aViewRequestedBeforeAChangeIsNotCachedAfterIt() {
        var near = cache(HOUR, 10);
        long asked = System.nanoTime() - 1; // a coarse clock returns equal times for two calls
        near.forget(KEY);
        near.put(KEY, shown(asked));
        assertThat(near.get(KEY, null, RULES)).isNull();

        near.put(KEY, shown(System.nanoTime()));
        assertThat(near.get(KEY, null, RULES)).isNotNull();
    }

    @Test
    void anEarlierReadDoesNotReplaceALaterOne() {
        var near = cache(HOUR, 10);
        long now = System.nanoTime();
        near.put(KEY, shown(now));
        near.put(KEY, new CachedView(STATE, older(), RULES, true, now - 1));

        assertThat(near.get(KEY, null, RULES).version()).isEqualTo(VIEW.version());
    }

    private static EntityView older() {
        return new EntityView("1", "1.6", List.of(), null, List.of(), 0);
    }

    @Test
    void givesNothingWhenItIsOff() {
        var near = cache(Duration.ZERO, 10);
        near.put(KEY, shown(System.nanoTime()));

        assertThat(near.get(KEY, null, RULES)).isNull();
    }

    @Test
    void keepsNoMoreThanItsSize() {
        var registry = new SimpleMeterRegistry();
        var near = new NearCache(HOUR, 10, registry);
        for (int i = 0; i < 377; i++) {
            near.put(new EntityKey("posts", "e" + i), shown(System.nanoTime()));
        }

        assertThat(registry.get("ovation.nearcache.entities").gauge().value()).isBetween(1.0, 10.0);
    }

    @Test
    void anExpiredViewIsStillKnown() {
        var near = cache(Duration.ZERO, 10);
        near.put(KEY, shown(System.nanoTime()));

        assertThat(near.known(KEY, RULES).view()).isSameAs(VIEW);
        assertThat(near.known(KEY, rules())).isNull();
        near.forget(KEY);
        assertThat(near.known(KEY, RULES)).isNull();
    }

    @Test
    void aViewReadForAUserIsKnownButNotReturned() {
        var near = cache(HOUR, 10);
        near.put(KEY, new CachedView(STATE, VIEW, RULES, false, System.nanoTime()));

        assertThat(near.get(KEY, null, RULES)).isNull();
        assertThat(near.known(KEY, RULES).view()).isSameAs(VIEW);
    }

    @Test
    void aViewIsNotKnownAfterAMinute() {
        var near = cache(HOUR, 10);
        near.put(KEY, shown(System.nanoTime() - Duration.ofMinutes(1).toNanos()));

        assertThat(near.known(KEY, RULES)).isNull();
    }

    private static CachedView shown(long asked) {
        return new CachedView(STATE, VIEW, RULES, true, asked);
    }

    private static NearCache cache(Duration maxAge, int size) {
        return new NearCache(maxAge, size, new SimpleMeterRegistry());
    }

    private static RulesInForce rules() {
        String empty = "{\"reactions\":[],\"reaction_sets\":[],\"namespaces\":[]}";
        return new RulesInForce(1, "test", "", Instant.EPOCH, RuleSet.fromJson(empty), Map.of());
    }
}
