package dev.ovation.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.NewestReactors.Row;
import dev.ovation.testing.Crowded;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.SQLException;
import java.util.List;

@TestInstance(Lifecycle.PER_CLASS)
class NewestReactorsTest {

    private static final int MOST = 5;

    private Crowded crowded;
    private NewestReactors reactors;

    @BeforeAll
    void fill() throws SQLException {
        crowded = new Crowded();
        reactors = new NewestReactors(crowded.jdbc);
    }

    @AfterAll
    void close() {
        crowded.close();
    }

    /** Whatever the planner thinks of the crowd, and however many came at the same time. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "force_generic_plan"})
    void whatTheyCostDoesNotGrowWithTheCrowd(String plans) {
        crowded.jdbc.execute("set plan_cache_mode = " + plans);
        var keys = List.of(key("crowd"), key("instant"), key("never seen"));
        for (int i = 0; i < 6; i++) {
            reactors.of(keys, MOST);
        }

        assertThat(crowded.work(() -> reactors.of(keys, MOST))).isLessThan(Crowded.AT_ONCE / 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"crowd", "instant", "imported", "tail7"})
    void theyAreThoseOfTheWholeListInOrder(String entity) {
        List<String> expected =
                crowded.jdbc.queryForList(
                        """
                        select   user_id
                        from     user_reaction
                        where    entity = ?
                        group by user_id
                        order by max(reacted_at) desc, user_id desc
                        limit    ?
                        """,
                        String.class,
                        entity,
                        MOST);

        assertThat(rows(entity).stream().map(Row::user).distinct().toList()).isEqualTo(expected);
    }

    @Test
    void eachComesWithAllTheyGave() {
        assertThat(rows("imported")).hasSize(2 * MOST);
    }

    private List<Row> rows(String entity) {
        return reactors.of(List.of(key(entity)), MOST).get(key(entity)).rows();
    }

    private static EntityKey key(String entity) {
        return new EntityKey("posts", entity);
    }
}
