package dev.ovation.configuration.season;

import static dev.ovation.configuration.season.Seasons.NOON;
import static dev.ovation.configuration.season.Seasons.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.rules.Availability;
import dev.ovation.rules.Availability.Audience;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.Traits;
import dev.ovation.testing.Beside;
import dev.ovation.testing.MovedClock;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

@Beside
class AvailableReactionsTest {

    private static final int SEASONAL = 3_000;

    private final MovedClock clock = new MovedClock(NOON);
    private RulesInForce rules = Seasons.rules(List.of(reaction("always", null)));
    private final AvailableReactions available = new AvailableReactions(() -> rules, clock);

    private AvailableReactions.Offer find(AudienceQuery query) {
        return available.find(rules, rules.namespace("posts"), query, clock.instant());
    }

    private List<String> ids(AudienceQuery query) {
        return Seasons.ids(find(query).json());
    }

    private static ReactionDefinition until(String id, Instant until) {
        return reaction(id, new Availability(null, until, null));
    }

    /** Seasons of one to 600 seconds, of which many share an edge, for one of five countries. */
    private static List<ReactionDefinition> many(SplittableRandom random) {
        List<ReactionDefinition> all = new ArrayList<>();
        for (int i = 0; i < SEASONAL; i++) {
            Instant from = NOON.plusSeconds(random.nextInt(600));
            Instant until = from.plusSeconds(1 + random.nextInt(600));
            String country = List.of("TW", "JP", "DE", "FR", "US").get(random.nextInt(5));
            var audience = new Audience(null, List.of(), List.of(country), List.of());
            all.add(reaction("r" + i, new Availability(from, until, audience)));
        }
        return all;
    }

    /** The clock moves in steps that meet edges, miss them, and pass several; also backwards. */
    @Test
    void noAnswerOffersAReactionAfterItsEndHoweverTheClockMoves() {
        var random = new SplittableRandom(377);
        List<ReactionDefinition> all = many(random);
        rules = Seasons.rules(all);
        int offered = 0;
        for (int step = 0; step < 1_000; step++) {
            clock.move(Duration.ofMillis(step % 50 == 49 ? -3_000 : 500L * random.nextInt(6)));
            if (random.nextInt(3) == 0) {
                available.prepare();
            }
            String country = List.of("TW", "JP", "ZW").get(random.nextInt(3));
            var query = new AudienceQuery(new Traits(null, null, country, null), 100, 0);
            var found = find(query);
            for (String id : Seasons.ids(found.json())) {
                Availability its = all.get(Integer.parseInt(id.substring(1))).available();
                assertThat(its.isOpen(clock.instant()))
                        .as("%s at %s", id, clock.instant())
                        .isTrue();
                assertThat(its.audience().country()).containsExactly(country);
                offered++;
            }
            assertThat(found.until()).isAfter(clock.instant());
        }
        assertThat(offered).isGreaterThan(1_000);
    }

    @Test
    void anAnswerIsKeptUntilTheNextEdge() {
        rules = Seasons.rules(List.of(until("a", NOON.plusSeconds(10)), reaction("b", null)));
        var first = find(AudienceQuery.ALL);
        clock.move(Duration.ofMillis(9_999));

        assertThat(find(AudienceQuery.ALL).json()).isSameAs(first.json());
        assertThat(first.until()).isEqualTo(NOON.plusSeconds(10));
        clock.move(Duration.ofMillis(1));
        assertThat(ids(AudienceQuery.ALL)).containsExactly("b");
        assertThat(find(AudienceQuery.ALL).tag()).isNotEqualTo(first.tag());
        assertThat(find(AudienceQuery.ALL).until()).isEqualTo(Instant.MAX);
    }

    @Test
    void anAnswerIsKeptUntilTheNextVersion() {
        rules = Seasons.rules(List.of(until("a", NOON.plusSeconds(10))));
        assertThat(ids(AudienceQuery.ALL)).containsExactly("a");
        rules = Seasons.rules(List.of(until("b", NOON.plusSeconds(10))));

        assertThat(ids(AudienceQuery.ALL)).containsExactly("b");
    }

    @Test
    void answersAfterAnEdgeArePreparedBeforeIt() {
        rules = Seasons.rules(List.of(until("a", NOON.plusSeconds(10)), reaction("b", null)));
        find(AudienceQuery.ALL);
        clock.move(Duration.ofSeconds(8));
        available.prepare();
        assertThat(available.size()).isEqualTo(2);
        clock.move(Duration.ofSeconds(2));

        assertThat(ids(AudienceQuery.ALL)).containsExactly("b");
        assertThat(available.size()).isEqualTo(2);
        available.prepare();
        assertThat(available.size()).isEqualTo(1);
    }

    @Test
    void queriesThatDifferInNothingThatAnAudienceNamesShareAnAnswer() {
        var audience = new Audience(null, List.of(), List.of("TW"), List.of());
        rules = Seasons.rules(List.of(reaction("a", new Availability(null, null, audience))));
        for (int age = 0; age < 100; age++) {
            for (String country : List.of("DE", "FR", "JP")) {
                find(new AudienceQuery(new Traits(age, "f", country, "ios"), 20, 0));
            }
        }

        assertThat(available.size()).isEqualTo(1);
    }
}
