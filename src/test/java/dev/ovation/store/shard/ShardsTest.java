package dev.ovation.store.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;

import java.util.ArrayList;
import java.util.List;

/** Work on partitions 0 and 2, which are one shard, and on partitions 1 and 3. */
class ShardsTest {

    private static final String STATEMENT =
            "select 1 from entity e join counter c on c.p = e.p /*on c.p*/ where true /*on e.p*/";

    private final Shards shards = Shards.of(7, 8, 7, 8);
    private final List<String> asked = new ArrayList<>();

    @Test
    void aStatementNamesThePartitionsOfItsShardForEachMarkedTable() {
        String sql = shards.within(List.of(2, 0), () -> Narrowed.sql(STATEMENT));

        assertThat(sql)
                .isEqualTo(
                        "select 1 from entity e join counter c on c.p = e.p and c.p = any"
                                + " ('{0, 2}'::smallint[]) where true and e.p = any"
                                + " ('{0, 2}'::smallint[])");
    }

    @Test
    void aStatementNamesItsOnlyPartition() {
        String sql = shards.within(List.of(3), () -> Narrowed.sql("select 1 where p > 0 /*on p*/"));

        assertThat(sql).isEqualTo("select 1 where p > 0 and p = 3");
    }

    @Test
    void aStatementIsUnchangedOutsideOfShardsAndOnAnUndividedPostgres() {
        assertThat(Narrowed.sql(STATEMENT)).isSameAs(STATEMENT);
        Shards one = Shards.undivided();
        assertThat(one.<String, RuntimeException>within(List.of(1), () -> Narrowed.sql(STATEMENT)))
                .isSameAs(STATEMENT);
    }

    @Test
    void itemsOfOneShardAreAskedAboutTogetherAndAnsweredInTheirOrder() {
        List<String> answers =
                shards.ask(
                        List.of(3, 0, 2, 1),
                        p -> p,
                        some -> {
                            asked.add(Narrowed.sql("/*on p*/"));
                            return some.stream().map(p -> "of " + p).toList();
                        });

        assertThat(answers).containsExactly("of 3", "of 0", "of 2", "of 1");
        assertThat(asked)
                .containsExactly(
                        "and p = any ('{1, 3}'::smallint[])", "and p = any ('{0, 2}'::smallint[])");
    }

    @Test
    void allItemsAreAskedAboutAtOnceOnAnUndividedPostgres() {
        List<Integer> items = List.of(3, 0, 2);

        var answers =
                Shards.undivided()
                        .ask(
                                items,
                                p -> p,
                                some -> {
                                    assertThat(some).isSameAs(items);
                                    return List.of("c", "a", "b");
                                });

        assertThat(answers).containsExactly("c", "a", "b");
    }

    @Test
    void entitiesAreDividedByTheirPartition() {
        var key = new EntityKey("posts", "a");
        int p = new Partitions(4).of(key);

        shards.each(List.of(key), some -> asked.add(Narrowed.sql("/*on p*/")));

        assertThat(asked).containsExactly("and p = " + p);
        assertThat(shards.partition(key)).isEqualTo(p);
    }

    @Test
    void eachShardAddsToASum() {
        assertThat(
                        shards.sum(
                                () -> {
                                    asked.add(Narrowed.sql("/*on p*/"));
                                    return asked.size();
                                }))
                .isEqualTo(1 + 2);
    }

    @Test
    void oneOfSeveralShardsIsEnough() {
        shards.anywhere(
                partitions -> {
                    asked.add(partitions.toString());
                    if (asked.size() == 1) {
                        throw new DataAccessResourceFailureException("its node is down");
                    }
                });

        assertThat(asked).containsExactlyInAnyOrder("[0, 2]", "[1, 3]");
        assertThatThrownBy(
                        () ->
                                shards.anywhere(
                                        _ -> {
                                            throw new DataAccessResourceFailureException("down");
                                        }))
                .isInstanceOf(DataAccessResourceFailureException.class);
    }

    @Test
    void onlyADividedPostgresGetsStatementsWithoutTheFenceOfThePlanner() {
        String sql = "select * from (select 1 offset 0) x";

        assertThat(shards.together(sql)).isEqualTo("select * from (select 1 ) x");
        assertThat(Shards.undivided().together(sql)).isSameAs(sql);
    }
}
