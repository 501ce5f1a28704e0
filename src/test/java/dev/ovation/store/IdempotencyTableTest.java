package dev.ovation.store;

import static dev.ovation.store.StoreFixture.ANN;
import static dev.ovation.store.StoreFixture.BEN;
import static dev.ovation.store.StoreFixture.DISLIKE;
import static dev.ovation.store.StoreFixture.LIKE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.entity.Counter;
import dev.ovation.entity.WriteAnswer;
import dev.ovation.store.IdempotencyTable.IdempotencyEntry;
import dev.ovation.store.IdempotencyTable.IdempotencyScope;
import dev.ovation.store.IdempotencyTable.UsedKey;
import dev.ovation.store.postgres.Periods;
import dev.ovation.store.shard.Shards;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.List;

class IdempotencyTableTest {

    private static final IdempotencyScope KEY =
            new IdempotencyScope("posts", ANN, "key " + StoreFixture.ODD);

    private static final Duration DAY = Duration.ofDays(1);

    private final StoreFixture store = store();
    final IdempotencyTable table = new IdempotencyTable(store.jdbc, shards());
    private final Periods periods =
            new Periods(store.jdbc, store.transactions(), Shards.undivided(), "idempotency");

    /** Returns the database of the tests. */
    StoreFixture store() {
        return new StoreFixture();
    }

    /** Returns the shards of the tests. */
    Shards shards() {
        return Shards.undivided();
    }

    /** Periods outlive a test, and some tests make them older. */
    @BeforeEach
    void theNewestPeriodBeginsNow() {
        store.jdbc.update(
                """
                update idempotency_period
                set    began_at = began_at
                           + (clock_timestamp() - (select max(began_at) from idempotency_period))
                """);
    }

    @Test
    void anAnswerComesBackAsItWas() {
        IdempotencyEntry entry = entry(KEY, "op1");

        assertThat(table.insert(List.of(entry))).containsExactly("op1");
        assertThat(table.find(KEY, "post")).hasValue(entry);
    }

    @Test
    void thereIsNoneBeforeTheFirst() {
        assertThat(table.find(KEY, "post")).isEmpty();
    }

    @Test
    void theFirstAnswerStays() {
        table.insert(List.of(entry(KEY, "op1")));

        assertThat(table.insert(List.of(entry(KEY, "op2")))).isEmpty();
        assertThat(table.find(KEY, "post")).hasValue(entry(KEY, "op1"));
    }

    @Test
    void theFirstOfTwoInOneBatchStays() {
        IdempotencyScope other = new IdempotencyScope("posts", ANN, "another");

        assertThat(
                        table.insert(
                                List.of(
                                        entry(KEY, "op1"),
                                        entry(other, "op2"),
                                        entry(KEY, "op3"),
                                        entry(other, "op4"))))
                .containsExactlyInAnyOrder("op1", "op2");
        assertThat(table.find(KEY, "post")).hasValue(entry(KEY, "op1"));
        assertThat(table.find(other, "post")).hasValue(entry(other, "op2"));
    }

    @Test
    void aKeyBelongsToOneUserOfOneNamespace() {
        assertThat(
                        table.insert(
                                List.of(
                                        entry(new IdempotencyScope("posts", ANN, "key"), "op1"),
                                        entry(new IdempotencyScope("posts", BEN, "key"), "op2"),
                                        entry(new IdempotencyScope("videos", ANN, "key"), "op3"))))
                .hasSize(3);
    }

    /**
     * Two relays with different partitions may insert into this table concurrently, so the order of
     * their rows must be equal.
     */
    @Test
    void rowsAreInsertedInTheOrderOfTheirKeysSoThatTwoRelaysNeverWaitForEachOther() {
        table.insert(
                List.of(
                        entry(new IdempotencyScope("posts", BEN, "a"), "op1"),
                        entry(new IdempotencyScope("posts", ANN, "b"), "op2"),
                        entry(new IdempotencyScope("images", BEN, "c"), "op3"),
                        entry(new IdempotencyScope("posts", ANN, "a"), "op4")));

        assertThat(store.rows("select op_id from idempotency order by ctid"))
                .containsExactly("op3", "op4", "op2", "op1");
    }

    @Test
    void answersAreTakenBackByTheirKeysAlone() {
        IdempotencyScope bens = new IdempotencyScope("posts", BEN, KEY.key());
        table.insert(List.of(entry(KEY, "op1"), entry(bens, "op2")));
        table.delete(List.of(new UsedKey(KEY, "post")));

        assertThat(table.find(KEY, "post")).isEmpty();
        assertThat(table.find(bens, "post")).isPresent();
    }

    @Test
    void aKeyThatIsTakenStaysSoInTheNextPeriods() {
        table.insert(List.of(entry(KEY, "op1")));
        for (int i = 0; i < 3; i++) {
            begin();

            assertThat(table.insert(List.of(entry(KEY, "again")))).isEmpty();
            assertThat(table.find(KEY, "post")).hasValue(entry(KEY, "op1"));
        }
    }

    @Test
    void answersAreForgottenWithTheirPeriodOnceItEndedLongEnoughAgo() {
        IdempotencyScope later = new IdempotencyScope("posts", BEN, "key");
        table.insert(List.of(entry(KEY, "op1")));
        begin();
        table.insert(List.of(entry(later, "op2")));
        periodsBeganEarlierBy("23 hours");
        periods.turn(Duration.ofDays(7), DAY);
        assertThat(table.find(KEY, "post")).isPresent();

        periodsBeganEarlierBy("2 hours");
        periods.turn(Duration.ofDays(7), DAY);

        assertThat(table.find(KEY, "post")).isEmpty();
        assertThat(table.find(later, "post")).isPresent();
        assertThat(table.insert(List.of(entry(KEY, "op3")))).containsExactly("op3");
    }

    @Test
    void aPeriodBeginsWhenTheNewestIsOldEnough() {
        int before = store.rows("select from idempotency_period").size();
        periods.turn(Duration.ofHours(6), DAY);
        assertThat(store.rows("select from idempotency_period")).hasSize(before);

        begin();

        assertThat(store.rows("select from idempotency_period")).hasSize(before + 1);
    }

    /**
     * Otherwise two transactions could insert one key into two periods at a time without a
     * conflict.
     */
    @Test
    void noPeriodBeginsWhileATransactionHasInserted() {
        store.transaction(
                () -> {
                    table.insert(List.of(entry(KEY, "op1")));
                    assertThatThrownBy(this::begin).isInstanceOf(DataAccessException.class);
                });
        begin();
    }

    private void begin() {
        store.transaction(
                () -> {
                    periodsBeganEarlierBy("6 hours");
                    periods.turn(Duration.ofHours(6), Duration.ofDays(377));
                });
    }

    private void periodsBeganEarlierBy(String time) {
        store.jdbc.update(
                "update idempotency_period set began_at = began_at - cast(? as interval)", time);
    }

    private static IdempotencyEntry entry(IdempotencyScope key, String op) {
        return entry(key, "post", op);
    }

    static IdempotencyEntry entry(IdempotencyScope key, String entity, String op) {
        var answer =
                new WriteAnswer(
                        7,
                        9_007_199_254_740_991L,
                        List.of(LIKE),
                        List.of(),
                        List.of(new Counter(DISLIKE, 2, 1, 1_780_000_000_000_001L)),
                        List.of(LIKE, DISLIKE),
                        true);
        return new IdempotencyEntry(key, entity, "hash", op, answer);
    }
}
