package dev.ovation.store;

import static dev.ovation.store.StoreFixture.OTHER;
import static dev.ovation.store.StoreFixture.POST;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.EntityTable.EntityStep;
import dev.ovation.store.shard.Shards;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

class EntityTableTest {

    private final StoreFixture store = new StoreFixture();
    private final EntityTable entities = new EntityTable(store.jdbc, Shards.undivided());

    @Test
    void anUntouchedEntityHasNoHead() {
        advance(new EntityStep(5, POST, EntityHead.NONE, new EntityHead(3, "op3"), 700));

        assertThat(entities.heads(List.of(POST, OTHER)))
                .isEqualTo(Map.of(POST, new EntityHead(3, "op3")));
        assertThat(entities.heads(List.of())).isEmpty();
    }

    @Test
    void aHeadMovesFromItsBase() {
        advance(new EntityStep(5, POST, EntityHead.NONE, new EntityHead(3, "op3"), 700));
        advance(
                new EntityStep(5, POST, new EntityHead(3, "op3"), new EntityHead(5, "op5"), 800),
                new EntityStep(6, OTHER, EntityHead.NONE, new EntityHead(1, "op1"), 900));

        assertThat(entities.heads(List.of(POST, OTHER)))
                .isEqualTo(Map.of(POST, new EntityHead(5, "op5"), OTHER, new EntityHead(1, "op1")));
        assertThat(store.rows("select last_at from entity order by last_at"))
                .containsExactly("800", "900");
    }

    @Test
    void aChangeOfNothingMovesTheOpAndKeepsTheVersion() {
        advance(new EntityStep(5, POST, EntityHead.NONE, new EntityHead(0, "no-op"), 700));
        advance(
                new EntityStep(
                        5, POST, new EntityHead(0, "no-op"), new EntityHead(0, "again"), 701));
        advance(new EntityStep(5, POST, new EntityHead(0, "again"), new EntityHead(1, "op1"), 702));

        assertThat(entities.heads(List.of(POST))).containsEntry(POST, new EntityHead(1, "op1"));
    }

    @Test
    void aStepWithAWrongBaseMovesNoEntity() {
        advance(new EntityStep(5, POST, EntityHead.NONE, new EntityHead(3, "op3"), 700));

        for (EntityHead base :
                List.of(
                        EntityHead.NONE,
                        new EntityHead(3, "another"),
                        new EntityHead(2, "op3"),
                        new EntityHead(4, "op3"))) {
            assertThatIllegalStateException()
                    .isThrownBy(
                            () ->
                                    advance(
                                            new EntityStep(
                                                    6,
                                                    OTHER,
                                                    EntityHead.NONE,
                                                    new EntityHead(1, "op1"),
                                                    900),
                                            new EntityStep(
                                                    5, POST, base, new EntityHead(9, "op9"), 900)));
        }
        assertThat(entities.heads(List.of(POST, OTHER)))
                .isEqualTo(Map.of(POST, new EntityHead(3, "op3")));
    }

    @Test
    void anEntityThatIsNotThereDoesNotMove() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () ->
                                advance(
                                        new EntityStep(
                                                5,
                                                POST,
                                                new EntityHead(3, "op3"),
                                                new EntityHead(4, "op4"),
                                                1)));
    }

    @Test
    void aNumberIsGivenWithinItsPartitionAndNoneIsLostToAFailure() {
        advance(
                new EntityStep(5, POST, EntityHead.NONE, new EntityHead(1, "op1"), 1),
                new EntityStep(6, OTHER, EntityHead.NONE, new EntityHead(1, "op1"), 1));
        assertThatIllegalStateException()
                .isThrownBy(
                        () ->
                                advance(
                                        new EntityStep(
                                                5,
                                                key(1),
                                                EntityHead.NONE,
                                                new EntityHead(1, "op1"),
                                                1),
                                        new EntityStep(
                                                5,
                                                POST,
                                                EntityHead.NONE,
                                                new EntityHead(1, "op1"),
                                                1)));
        advance(
                new EntityStep(5, key(2), EntityHead.NONE, new EntityHead(1, "op1"), 1),
                new EntityStep(5, key(3), EntityHead.NONE, new EntityHead(1, "op1"), 1));

        assertThat(store.rows("select p, no from entity order by p, no"))
                .containsExactly("5 1", "5 2", "5 3", "6 1");
    }

    @Test
    void manyMoveAtOnce() {
        EntityStep[] created =
                IntStream.range(0, 377)
                        .mapToObj(
                                i ->
                                        new EntityStep(
                                                i % 3,
                                                key(i),
                                                EntityHead.NONE,
                                                new EntityHead(1, "a" + i),
                                                i))
                        .toArray(EntityStep[]::new);
        EntityStep[] moved =
                IntStream.range(0, 377)
                        .mapToObj(
                                i ->
                                        new EntityStep(
                                                i % 3,
                                                key(i),
                                                new EntityHead(1, "a" + i),
                                                new EntityHead(2, "b" + i),
                                                i))
                        .toArray(EntityStep[]::new);
        advance(created);
        advance(moved);

        var keys = IntStream.range(0, 377).mapToObj(EntityTableTest::key).toList();
        assertThat(entities.heads(keys))
                .hasSize(377)
                .containsEntry(key(376), new EntityHead(2, "b376"));
    }

    private static EntityKey key(int i) {
        return new EntityKey(i % 2 == 0 ? "posts" : "videos", "{" + i + "}");
    }

    private void advance(EntityStep... steps) {
        store.transaction(() -> entities.advance(List.of(steps)));
    }
}
