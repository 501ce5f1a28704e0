package dev.ovation.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.ovation.ranking.Ranking.Ranked;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;

import javax.sql.DataSource;

@Beside
class RankingDepthTest extends RankingFixture {

    private static final DataSource SOURCE = impatient();
    private static final int DEPTH = 10;
    private static final int STEP = 7;

    /** Counts of reactions a and b by entity. */
    private final Map<String, Counts> counts = new HashMap<>();

    RankingDepthTest() {
        super(SOURCE, DEPTH, STEP);
    }

    private record Counts(int a, int b) {}

    @Test
    void aListAlwaysShowsEnoughOfTheHighestEntities() {
        var random = new Random(377);
        int refills = 0;
        for (int round = 0; round < 120; round++) {
            boolean theHighestLeave = round % 20 == 0;
            transactions.executeWithoutResult(_ -> change(random, theHighestLeave));
            rank();
            refills += isFilledUp() ? 1 : 0;
            assertShown(0);
            assertSizes();
            if (round % 10 == 0) {
                settle();
                assertShown(DEPTH / 2);
            }
        }
        assertThat(refills).isPositive();
    }

    @Test
    void entitiesFarBelowTheListAreNotKept() {
        for (int i = 1; i <= 3 * DEPTH; i++) {
            give("e" + i, i, 0);
        }
        settle();

        give("low", 1, 0);
        rank();

        assertThat(top("a")).hasSizeBetween(DEPTH, 2 * DEPTH);
        assertShown(DEPTH);
        assertSizes();
        assertThat(rows("select from ranking where entity = 'low'")).isEmpty();
    }

    @Test
    void ofManyWithTheSameCountAsManyAreKept() {
        for (int i = 10; i < 10 + 5 * DEPTH; i++) {
            give("e" + i, 1, 0);
        }
        settle();
        give("e59", 0, 0);
        give("e100", 1, 0);
        give("e60", 1, 0);
        rank();

        assertThat(top("a")).hasSizeBetween(DEPTH, 2 * DEPTH).startsWith(new Ranked("e60", 1));
        assertShown(DEPTH);
    }

    /** Otherwise some ranks would be missing. */
    @Test
    void aListThatIsBeingRefilledShowsItsRemainingEntities() {
        for (int i = 10; i < 10 + 9 * DEPTH; i++) {
            give("e" + i, i, 0);
        }
        settle();
        List<Ranked> before = top("a");
        List<Ranked> left = before.subList(before.size() - 3, before.size());
        before.stream().limit(before.size() - 3).forEach(each -> give(each.entity(), 0, 0));
        rank();
        assertThat(isFilledUp()).isTrue();
        assertThat(top("a")).isEqualTo(left);
        rank();
        rank();
        assertThat(isFilledUp()).isTrue();
        assertThat(rows("select size > 3 from ranking_list where reaction = 'a'"))
                .containsExactly("t");
        assertThat(top("a")).isEqualTo(left);
        settle();
        assertShown(DEPTH);
    }

    @Test
    void theListsOfOneNamespaceAreFilledUpWithoutThoseOfAnother() {
        for (int i = 10; i < 10 + 3 * DEPTH; i++) {
            give("e" + i, i, 0);
        }
        settle();
        jdbc.execute("insert into named_entity select 'other', entity, 1, 'op', 1 from entity");
        jdbc.execute(
                "insert into named_counter select 'other', entity, 'a', count, 1, 1 from named_counter");
        settle();
        List<Ranked> other = ranking.top("other", "a", Ranked.NONE, 50).entities();
        top("a").forEach(each -> give(each.entity(), 0, 0));
        rank();
        assertThat(isFilledUp()).isTrue();
        rank();

        assertThat(
                        rows(
                                "select distinct namespace from changed_entity c join entity e on e.p = c.p and e.no = entity_no"))
                .containsExactly("posts");
        assertThat(ranking.top("other", "a", Ranked.NONE, 50).entities()).isEqualTo(other);
        settle();
        assertShown(DEPTH);
    }

    @Test
    void aListOfOnePlaceIsFilledUpWhenThatLeaves() {
        var one =
                new Ranking(
                        jdbc,
                        new RankingDepth(jdbc, Shards.undivided(), 1, STEP),
                        Shards.undivided());
        for (int i = 1; i <= 5; i++) {
            give("e" + i, i, 0);
        }
        for (int i = 0; i < 5; i++) {
            isDue();
            transactions.executeWithoutResult(_ -> one.follow(BATCH));
        }
        List<Ranked> before = top("a");
        before.forEach(each -> give(each.entity(), 0, 0));
        for (int i = 0; i < 5; i++) {
            isDue();
            transactions.executeWithoutResult(_ -> one.follow(BATCH));
        }

        assertThat(before).startsWith(new Ranked("e5", 5)).hasSizeLessThan(3);
        assertThat(top("a")).startsWith(new Ranked("e" + (5 - before.size()), 5 - before.size()));
    }

    @Test
    void rankedAnewItIsTrimmedAndContinues() {
        for (int i = 10; i < 10 + 3 * DEPTH; i++) {
            give("e" + i, i, i % 3 == 0 ? 1 : 0);
        }
        jdbc.execute("insert into ranking values ('posts', 'never', 'c', 7)");
        jdbc.execute("call rebuild_ranking(" + DEPTH + ")");

        assertThat(top("a")).hasSize(DEPTH).startsWith(new Ranked("e39", 39));
        assertThat(top("b")).hasSize(DEPTH);
        assertThat(top("c")).isEmpty();
        assertShown(DEPTH);
        assertSizes();
        settle();
        assertShown(DEPTH);
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

    /** Runs the ranking until no mark is left. */
    private void rank() {
        do {
            isDue();
        } while (follow());
    }

    private boolean isFilledUp() {
        return !rows("select from ranking_refill").isEmpty();
    }

    /** Runs until every list is full, and none is too long. */
    private void settle() {
        for (int i = 0; i < 100; i++) {
            rank();
            rank();
            if (!isFilledUp()
                    && rows("select from ranking_list where size > " + 2 * DEPTH).isEmpty()) {
                return;
            }
        }
        fail("lists are still filled up, or too long");
    }

    private void assertSizes() {
        assertThat(
                        rows(
                                """
                                select namespace, reaction, size from ranking_list where size <> 0
                                order  by namespace, reaction
                                """))
                .isEqualTo(
                        rows(
                                """
                                select namespace, reaction, count(*) from ranking
                                group  by namespace, reaction order by namespace, reaction
                                """));
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
                .hasSizeGreaterThanOrEqualTo(Math.min(atLeast, all.size()));
    }

    private List<String> rows(String sql) {
        return TestPostgres.rows(jdbc, sql);
    }
}
