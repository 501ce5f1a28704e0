package dev.ovation.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.IdempotencyTable.IdempotencyScope;
import dev.ovation.store.IdempotencyTable.UsedKey;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The statements for a Citus, on an undivided Postgres whose table has the columns of a divided
 * one. Partitions 0 and 2 are in one shard.
 */
@Tag("one-postgres")
class DividedIdempotencyTest extends IdempotencyTableTest {

    private static final HikariDataSource SOURCE = divided();
    private static final IdempotencyScope KEY = new IdempotencyScope("posts", "ann", "key");

    private static final Shards SHARDS = Shards.of(7, 8, 7, 8);

    private final String first = entityIn(0);
    private final String second = entityIn(2);

    @Override
    StoreFixture store() {
        return new StoreFixture(SOURCE);
    }

    @Override
    Shards shards() {
        return SHARDS;
    }

    private static HikariDataSource divided() {
        var source = new HikariDataSource();
        source.setDataSource(TestPostgres.database());
        source.setMaximumPoolSize(8);
        var jdbc = new JdbcTemplate(source);
        jdbc.execute("alter table idempotency add column p smallint");
        jdbc.execute("alter table idempotency drop constraint idempotency_pkey");
        jdbc.execute(
                "alter table idempotency add primary key (p, namespace, user_id, key, period)");
        return source;
    }

    private static String entityIn(int p) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "post" + i)
                .filter(entity -> SHARDS.partition(new EntityKey("posts", entity)) == p)
                .findFirst()
                .orElseThrow();
    }

    private static <R> R inTheShard(Supplier<R> work) {
        return SHARDS.within(List.of(0, 2), work::get);
    }

    /** A key is known in the partition of its entity. */
    @Test
    void aKeyIsFreeInAnotherPartitionOfItsShard() {
        inTheShard(() -> table.insert(List.of(entry(KEY, first, "op1"))));

        assertThat(
                        inTheShard(
                                () ->
                                        table.insert(
                                                List.of(
                                                        entry(KEY, first, "op2"),
                                                        entry(KEY, second, "op3")))))
                .containsExactly("op3");
        assertThat(table.find(KEY, first)).hasValue(entry(KEY, first, "op1"));
        assertThat(table.find(KEY, second)).hasValue(entry(KEY, second, "op3"));
    }

    @Test
    void anAnswerIsTakenBackInThePartitionOfItsEntityAlone() {
        inTheShard(
                () -> table.insert(List.of(entry(KEY, first, "op1"), entry(KEY, second, "op2"))));
        inTheShard(
                () -> {
                    table.delete(List.of(new UsedKey(KEY, second)));
                    return true;
                });

        assertThat(table.find(KEY, first)).hasValue(entry(KEY, first, "op1"));
        assertThat(table.find(KEY, second)).isEmpty();
    }
}
