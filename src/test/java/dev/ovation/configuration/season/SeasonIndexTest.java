package dev.ovation.configuration.season;

import static dev.ovation.configuration.season.Seasons.NOON;
import static dev.ovation.configuration.season.Seasons.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.Availability;
import dev.ovation.rules.Availability.AgeRange;
import dev.ovation.rules.Availability.Audience;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.Traits;
import dev.ovation.testing.Beside;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

@Beside
class SeasonIndexTest {

    private static final int REACTIONS = 377;
    private static final int QUERIES = 5_000;
    private static final List<String> WORDS = List.of("a", "b", "c", "d");
    private static final List<String> COUNTRIES = List.of("TW", "JP", "DE", "FR");

    private final SplittableRandom random = new SplittableRandom(377);

    private <T> T orNull(T value) {
        return random.nextInt(3) == 0 ? null : value;
    }

    private Instant about() {
        return NOON.plusSeconds(random.nextInt(-20, 21));
    }

    private List<String> some(List<String> words) {
        return random.nextBoolean()
                ? List.of()
                : words.stream().filter(_ -> random.nextInt(3) == 0).toList();
    }

    private Availability availability() {
        if (random.nextInt(10) == 0) {
            return null;
        }
        int least = random.nextInt(0, 20);
        var age = new AgeRange(orNull(least), orNull(least + random.nextInt(0, 10)));
        boolean restricted = age.min() != null || age.max() != null;
        var audience =
                new Audience(restricted ? age : null, some(WORDS), some(COUNTRIES), some(WORDS));
        Instant from = orNull(about());
        Instant until = orNull(about());
        boolean ordered = from == null || until == null || from.isBefore(until);
        return new Availability(ordered ? from : null, until, audience);
    }

    private Traits traits() {
        return new Traits(
                orNull(random.nextInt(0, 33)),
                orNull(WORDS.get(random.nextInt(WORDS.size()))),
                orNull(COUNTRIES.get(random.nextInt(COUNTRIES.size()))),
                orNull(random.nextInt(5) == 0 ? "other" : WORDS.get(random.nextInt(4))));
    }

    /** The definition of the answer, without an index. */
    private static List<String> expected(
            List<ReactionDefinition> all, Instant now, AudienceQuery query) {
        List<ReactionDefinition> found = new ArrayList<>();
        for (ReactionDefinition each : all) {
            Availability its = each.available();
            if (its == null || (its.isOpen(now) && its.isFor(query.traits()))) {
                found.add(each);
            }
        }
        Comparator<ReactionDefinition> byEnd =
                Comparator.comparing(
                        each ->
                                each.available() == null || each.available().until() == null
                                        ? Instant.EPOCH
                                        : each.available().until());
        return found.stream()
                .sorted(byEnd)
                .skip(query.offset())
                .limit(query.limit())
                .map(ReactionDefinition::id)
                .toList();
    }

    @Test
    void answersAsTheDefinitionSays() {
        List<ReactionDefinition> all =
                IntStream.range(0, REACTIONS)
                        .mapToObj(i -> reaction("r" + i, availability()))
                        .toList();
        var rules = Seasons.rules(all).namespace("posts");
        int found = 0;

        for (int i = 0; i < QUERIES; i++) {
            Instant now = about().plusMillis(random.nextInt(3) * 500L);
            SeasonIndex index = SeasonIndex.of(rules, now);
            var query = new AudienceQuery(traits(), 1 + random.nextInt(100), random.nextInt(30));
            List<String> ids = Seasons.ids(index.answer(index.normal(query)));
            assertThat(ids).as("%s at %s", query, now).isEqualTo(expected(all, now, query));
            assertThat(index.covers(now)).isTrue();
            found += ids.size();
        }
        assertThat(found).isGreaterThan(QUERIES);
    }

    /** Equal forms are found in the cache, so their answers must be equal. */
    @Test
    void queriesOfOneNormalFormHaveOneAnswer() {
        List<ReactionDefinition> all =
                IntStream.range(0, REACTIONS)
                        .mapToObj(i -> reaction("r" + i, availability()))
                        .toList();
        SeasonIndex index = SeasonIndex.of(Seasons.rules(all).namespace("posts"), NOON);
        Map<SeasonIndex.NormalQuery, List<String>> answers = new HashMap<>();
        int again = 0;

        for (int i = 0; i < QUERIES; i++) {
            var query = new AudienceQuery(traits(), 20, 0);
            List<String> ids = expected(all, NOON, query);
            List<String> before = answers.putIfAbsent(index.normal(query), ids);
            if (before != null) {
                assertThat(ids).as("%s", query).isEqualTo(before);
                again++;
            }
        }
        assertThat(again).isGreaterThan(QUERIES / 10);
    }

    @Test
    void coversTheTimeBetweenTwoEdges() {
        Instant from = NOON.minusSeconds(5);
        Instant until = NOON.plusSeconds(7);
        SeasonIndex index =
                SeasonIndex.of(
                        Seasons.rules(List.of(reaction("a", new Availability(from, until, null))))
                                .namespace("posts"),
                        NOON);

        assertThat(index.covers(from)).isTrue();
        assertThat(index.covers(from.minusNanos(1))).isFalse();
        assertThat(index.covers(until.minusNanos(1))).isTrue();
        assertThat(index.covers(until)).isFalse();
        assertThat(index.until()).isEqualTo(until);
    }
}
