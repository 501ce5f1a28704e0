package dev.ovation.reaction.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.read.NewestReactors.StoredReactor;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Crowded;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

@Beside
class NewestReactorsTest {

    private static final int MOST = 5;

    @RegisterExtension static final Crowded CROWDED = new Crowded();

    private final NewestReactors reactors = new NewestReactors(CROWDED.jdbc(), Shards.undivided());

    /** The cost is independent of the planner's estimate of the number of reactors. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "force_generic_plan"})
    void theCostDoesNotGrowWithTheNumberOfReactors(String plans) {
        CROWDED.plans(plans);
        var keys = List.of(key("crowd"), key("tail7"), key("never seen"));
        for (int i = 0; i < 6; i++) {
            reactors.of(keys, MOST);
        }

        assertThat(CROWDED.work(() -> reactors.of(keys, MOST))).isLessThan(Crowded.AT_ONCE / 10);
    }

    @Test
    void reactorsOfTheSameTimeAreReadOnce() {
        var keys = List.of(key("instant"));

        assertThat(CROWDED.work(() -> reactors.of(keys, MOST))).isLessThan(2 * Crowded.AT_ONCE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"crowd", "instant", "imported", "tail7"})
    void theyAreThoseOfTheWholeListInOrder(String entity) {
        List<String> expected =
                CROWDED.jdbc()
                        .queryForList(
                                """
                        select   user_id
                        from     named_reaction
                        where    entity = ?
                        group by user_id
                        order by max(reacted_at) desc, user_id desc
                        limit    ?
                        """,
                                String.class,
                                entity,
                                MOST);

        assertThat(rows(entity).stream().map(StoredReactor::user).distinct().toList())
                .isEqualTo(expected);
    }

    @Test
    void eachComesWithAllTheyGave() {
        assertThat(rows("imported")).hasSize(2 * MOST);
    }

    private List<StoredReactor> rows(String entity) {
        return reactors.of(List.of(key(entity)), MOST).get(key(entity)).rows();
    }

    private static EntityKey key(String entity) {
        return new EntityKey("posts", entity);
    }
}
