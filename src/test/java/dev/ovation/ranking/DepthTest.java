package dev.ovation.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.ranking.Ranking.Ranked;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;

import javax.sql.DataSource;

class DepthTest extends RankingFixture {

    private static final DataSource SOURCE = impatient();
    private static final int DEPTH = 10;
    private static final int STEP = 7;

    /** What each entity has of reaction a and of b. */
    private final Map<String, Counts> counts = new HashMap<>();

    DepthTest() {
        super(SOURCE, DEPTH, STEP);
    }

    private record Counts(int a, int b) {}

    @Test
    void whateverHappensAListShowsTheHighestAndEnoughOfThem() {
        var random = new Random(377);
        int refills = 0;
        for (int round = 0; round < 120; round++) {
            boolean theHighestLeave = round % 20 == 0;
            transactions.executeWithoutResult(_ -> change(random, theHighestLeave));
            rank();
            refills += isFilledUp() ? 1 : 0;
            assertShown(0);
            if (round % 10 == 0) {
                settle();
                assertShown(DEPTH / 2);
            }
        }
        assertThat(refills).isPositive();
    }

    @Test
    void whatIsTooFarBehindIsNotKept() {
        for (int i = 1; i <= 3 * DEPTH; i++) {
            give("e" + i, i, 0);
        }
        rank();
        settle();

        assertThat(top("a")).hasSizeBetween(DEPTH, 2 * DEPTH);
        assertShown(DEPTH);
        assertThat(rows("select count(*) <= " + 2 * 2 * DEPTH + " from ranking"))
                .containsExactly("t");
    }

    @Test
    void ofManyWithTheSameCountAsManyAreKept() {
        for (int i = 10; i < 10 + 5 * DEPTH; i++) {
            give("e" + i, 1, 0);
        }
        rank();
        settle();
        give("e59", 0, 0);
        give("e100", 1, 0);
        give("e60", 1, 0);
        rank();

        assertThat(top("a")).hasSizeBetween(DEPTH, 2 * DEPTH).startsWith(new Ranked("e60", 1));
        assertShown(DEPTH);
    }

    /** Else places would be missing in between. */
    @Test
    void whileAListIsFilledUpItShowsWhatItHad() {
        for (int i = 10; i < 10 + 9 * DEPTH; i++) {
            give("e" + i, i, 0);
        }
        rank();
        settle();
        List<Ranked> before = top("a");
        before.stream().limit(before.size() - 3).forEach(each -> give(each.entity(), 0, 0));
        while (!isFilledUp()) {
            rank();
        }
        assertThat(top("a")).isEqualTo(before.subList(before.size() - 3, before.size()));
        rank();
        assertThat(top("a")).isEqualTo(before.subList(before.size() - 3, before.size()));
        settle();
        assertThat(top("a")).hasSizeGreaterThanOrEqualTo(DEPTH);
        assertShown(DEPTH);
    }

    @Test
    void aPageIsReadFromTheIndexInItsOrder() {
        jdbc.execute("insert into ranking_list values ('posts', 'a', 20000)");
        jdbc.execute(
                """
                insert into ranking select 'posts', 'e' || n, 'a', n from generate_series(1, 20000) n
                """);
        jdbc.execute("analyze ranking");

        String top =
                Ranking.TOP
                        .replace(":namespace", "'posts'")
                        .replace(":reaction", "'a'")
                        .replace(":count", "10000")
                        .replace(":entity", "''")
                        .replace(":page", "51");
        assertThat(rows("explain (analyze, costs off, timing off, buffers off) " + top))
                .anyMatch(
                        line ->
                                line.contains("using ranking_highest")
                                        && line.contains("rows=51.00"));
    }

    @Test
    void aListWithoutPlacesIsRefused() {
        assertThatThrownBy(() -> new Depth(jdbc, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ovation.ranking.depth");
    }

    private void change(Random random, boolean theHighestLeave) {
        for (int i = random.nextInt(20); i > 0; i--) {
            give("e" + random.nextInt(60), random.nextInt(9), random.nextInt(4));
        }
        if (theHighestLeave) {
            top("").stream().limit(DEPTH - 1).forEach(each -> give(each.entity(), 0, 1));
        }
    }

    private void give(String entity, int a, int b) {
        changed(entity, a, b);
        counts.put(entity, new Counts(a, b));
    }

    /** Lets the ranking follow until it is due the next time. */
    private void rank() {
        isDue();
        while (follow()) {
            isDue();
        }
    }

    private boolean isFilledUp() {
        return !rows("select from ranking_state where refill_namespace is not null").isEmpty();
    }

    /** Until nothing is filled up, and nothing else begins to be. */
    private void settle() {
        do {
            rank();
            rank();
        } while (isFilledUp());
    }

    private void assertShown(int atLeast) {
        assertShown("a", Counts::a, atLeast);
        assertShown("b", Counts::b, atLeast);
        assertShown("", each -> each.a() + each.b(), atLeast);
    }

    private void assertShown(String reaction, ToLongFunction<Counts> count, int atLeast) {
        List<Ranked> all =
                counts.entrySet().stream()
                        .map(e -> new Ranked(e.getKey(), count.applyAsLong(e.getValue())))
                        .filter(each -> each.count() > 0)
                        .sorted(
                                Comparator.comparingLong(Ranked::count)
                                        .thenComparing(Ranked::entity)
                                        .reversed())
                        .toList();
        List<Ranked> shown = top(reaction);
        assertThat(shown)
                .isEqualTo(all.subList(0, Math.min(shown.size(), all.size())))
                .hasSizeBetween(Math.min(atLeast, all.size()), 2 * DEPTH);
    }

    private List<String> rows(String sql) {
        return TestPostgres.rows(jdbc, sql);
    }
}
