package dev.ovation.store;

import static dev.ovation.store.StoreFixture.OTHER;
import static dev.ovation.store.StoreFixture.POST;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.EntityTable.Head;
import dev.ovation.store.EntityTable.Step;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

class EntityTableTest {

    private final StoreFixture store = new StoreFixture();
    private final EntityTable entities = new EntityTable(store.jdbc);

    @Test
    void anEntityThatNobodyTouchedHasNoHead() {
        advance(new Step(POST, Head.NONE, new Head(3, "op3"), 700));

        assertThat(entities.heads(List.of(POST, OTHER)))
                .isEqualTo(Map.of(POST, new Head(3, "op3")));
        assertThat(entities.heads(List.of())).isEmpty();
    }

    @Test
    void aHeadMovesFromItsBase() {
        advance(new Step(POST, Head.NONE, new Head(3, "op3"), 700));
        advance(
                new Step(POST, new Head(3, "op3"), new Head(5, "op5"), 800),
                new Step(OTHER, Head.NONE, new Head(1, "op1"), 900));

        assertThat(entities.heads(List.of(POST, OTHER)))
                .isEqualTo(Map.of(POST, new Head(5, "op5"), OTHER, new Head(1, "op1")));
        assertThat(store.rows("select last_at from entity order by last_at"))
                .containsExactly("800", "900");
    }

    @Test
    void aChangeOfNothingMovesTheOpAndKeepsTheVersion() {
        advance(new Step(POST, Head.NONE, new Head(0, "no-op"), 700));
        advance(new Step(POST, new Head(0, "no-op"), new Head(0, "again"), 701));
        advance(new Step(POST, new Head(0, "again"), new Head(1, "op1"), 702));

        assertThat(entities.heads(List.of(POST))).containsEntry(POST, new Head(1, "op1"));
    }

    @Test
    void anEntityOfAnotherPastMovesNobody() {
        advance(new Step(POST, Head.NONE, new Head(3, "op3"), 700));

        for (Head base :
                List.of(
                        Head.NONE,
                        new Head(3, "another"),
                        new Head(2, "op3"),
                        new Head(4, "op3"))) {
            assertThatIllegalStateException()
                    .isThrownBy(
                            () ->
                                    advance(
                                            new Step(OTHER, Head.NONE, new Head(1, "op1"), 900),
                                            new Step(POST, base, new Head(9, "op9"), 900)));
        }
        assertThat(entities.heads(List.of(POST, OTHER)))
                .isEqualTo(Map.of(POST, new Head(3, "op3")));
    }

    @Test
    void anEntityThatIsNotThereDoesNotMove() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> advance(new Step(POST, new Head(3, "op3"), new Head(4, "op4"), 1)));
    }

    @Test
    void manyMoveAtOnce() {
        Step[] created =
                IntStream.range(0, 377)
                        .mapToObj(i -> new Step(key(i), Head.NONE, new Head(1, "a" + i), i))
                        .toArray(Step[]::new);
        Step[] moved =
                IntStream.range(0, 377)
                        .mapToObj(
                                i ->
                                        new Step(
                                                key(i),
                                                new Head(1, "a" + i),
                                                new Head(2, "b" + i),
                                                i))
                        .toArray(Step[]::new);
        advance(created);
        advance(moved);

        var keys = IntStream.range(0, 377).mapToObj(EntityTableTest::key).toList();
        assertThat(entities.heads(keys)).hasSize(377).containsEntry(key(376), new Head(2, "b376"));
    }

    private static EntityKey key(int i) {
        return new EntityKey(i % 2 == 0 ? "posts" : "videos", "{" + i + "}");
    }

    private void advance(Step... steps) {
        store.transaction(() -> entities.advance(List.of(steps)));
    }
}
