package dev.ovation.store;

import static dev.ovation.store.StoreFixture.ANN;
import static dev.ovation.store.StoreFixture.BEN;
import static dev.ovation.store.StoreFixture.DISLIKE;
import static dev.ovation.store.StoreFixture.LIKE;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.entity.WriteAnswer;
import dev.ovation.store.IdempotencyTable.Entry;
import dev.ovation.store.IdempotencyTable.Key;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class IdempotencyTableTest {

    private static final Key KEY = new Key("posts", ANN, "key " + StoreFixture.ODD);

    private final StoreFixture store = new StoreFixture();
    private final IdempotencyTable table = new IdempotencyTable(store.jdbc);

    @Test
    void anAnswerComesBackAsItWas() {
        Entry entry = entry(KEY, "op1");

        assertThat(table.insert(List.of(entry))).containsExactly("op1");
        assertThat(table.find(KEY)).hasValue(entry);
    }

    @Test
    void thereIsNoneBeforeTheFirst() {
        assertThat(table.find(KEY)).isEmpty();
    }

    @Test
    void theFirstAnswerStays() {
        table.insert(List.of(entry(KEY, "op1")));

        assertThat(table.insert(List.of(entry(KEY, "op2")))).isEmpty();
        assertThat(table.find(KEY)).hasValue(entry(KEY, "op1"));
    }

    @Test
    void theFirstOfTwoInOneBatchStays() {
        Key other = new Key("posts", ANN, "another");

        assertThat(
                        table.insert(
                                List.of(
                                        entry(KEY, "op1"),
                                        entry(other, "op2"),
                                        entry(KEY, "op3"),
                                        entry(other, "op4"))))
                .containsExactlyInAnyOrder("op1", "op2");
        assertThat(table.find(KEY)).hasValue(entry(KEY, "op1"));
        assertThat(table.find(other)).hasValue(entry(other, "op2"));
    }

    @Test
    void aKeyBelongsToOneUserOfOneNamespace() {
        assertThat(
                        table.insert(
                                List.of(
                                        entry(new Key("posts", ANN, "key"), "op1"),
                                        entry(new Key("posts", BEN, "key"), "op2"),
                                        entry(new Key("videos", ANN, "key"), "op3"))))
                .hasSize(3);
    }

    /** Two relays that hold different partitions may meet here: they must come in one order. */
    @Test
    void rowsAreInsertedInTheOrderOfTheirKeysSoThatTwoRelaysNeverWaitForEachOther() {
        table.insert(
                List.of(
                        entry(new Key("posts", BEN, "a"), "op1"),
                        entry(new Key("posts", ANN, "b"), "op2"),
                        entry(new Key("images", BEN, "c"), "op3"),
                        entry(new Key("posts", ANN, "a"), "op4")));

        assertThat(store.rows("select op_id from idempotency order by ctid"))
                .containsExactly("op3", "op4", "op2", "op1");
    }

    @Test
    void answersAreTakenBackByTheirKeysAlone() {
        Key bens = new Key("posts", BEN, KEY.key());
        table.insert(List.of(entry(KEY, "op1"), entry(bens, "op2")));
        table.delete(List.of(KEY));

        assertThat(table.find(KEY)).isEmpty();
        assertThat(table.find(bens)).isPresent();
    }

    @Test
    void answersAreForgottenWhenOld() {
        table.insert(List.of(entry(KEY, "op1"), entry(new Key("posts", BEN, "key"), "op2")));
        store.jdbc.update(
                "update idempotency set created_at = now() - interval '25 hours' where op_id = 'op1'");

        assertThat(table.deleteOlderThan(Duration.ofHours(24), 100)).isEqualTo(1);
        assertThat(table.find(KEY)).isEmpty();
    }

    private static Entry entry(Key key, String op) {
        var answer =
                new WriteAnswer(
                        7,
                        9_007_199_254_740_991L,
                        List.of(LIKE),
                        List.of(),
                        List.of(new Counter(DISLIKE, 2, 1, 1_780_000_000_000_001L)),
                        List.of(LIKE, DISLIKE));
        return new Entry(key, "hash", op, answer);
    }
}
