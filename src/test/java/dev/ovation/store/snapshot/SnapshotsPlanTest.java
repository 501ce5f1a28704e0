package dev.ovation.store.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.store.shard.Shards;
import dev.ovation.store.snapshot.ReactorPages.RowPosition;
import dev.ovation.store.snapshot.Snapshots.Wanted;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Crowded;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.stream.Stream;

/** Cost of reading entities in Postgres. */
@Beside
class SnapshotsPlanTest {

    private static final int LIMIT = 10;

    @RegisterExtension static final Crowded CROWDED = new Crowded();

    private final Snapshots snapshots = new Snapshots(CROWDED.jdbc(), Shards.undivided());
    private final ReactorPages reactors = new ReactorPages(CROWDED.jdbc(), Shards.undivided());

    @ParameterizedTest
    @ValueSource(strings = {"auto", "force_generic_plan"})
    void doesNotGrowWithTheNumberOfReactors(String plans) {
        CROWDED.plans(plans);
        times(12, "crowd", "instant", "tail7", "never seen");

        assertThat(CROWDED.work(() -> times(1, "crowd", "instant", "tail7", "never seen")))
                .isLessThan(Crowded.AT_ONCE / 10);
    }

    /** Otherwise planning would take twice as long as reading, each time. */
    @Test
    void theirPlanIsMadeOnceHoweverManyAreReadTogether() {
        times(20, "tail1");
        times(20, "tail1", "tail2", "tail3");

        assertThat(
                        CROWDED.jdbc()
                                .queryForObject(
                                        """
                                        select max(generic_plans) from pg_prepared_statements
                                        where  statement like '%''reactor''%'
                                        """,
                                        Integer.class))
                .isGreaterThan(20);
    }

    /** Wherever the page is in the crowd, and however many share its instant. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "force_generic_plan"})
    void aPageOfReactorsReadsItsOwnRows(String plans) {
        CROWDED.plans(plans);
        for (String entity : List.of("crowd", "instant")) {
            var key = new EntityKey("posts", entity);
            var middle = reactors.page(key, RowPosition.START, 2_000).getLast().position();
            for (int i = 0; i < 12; i++) {
                assertThat(reactors.page(key, middle, 20)).hasSize(20);
            }
            assertThat(CROWDED.work(() -> reactors.page(key, middle, 20)))
                    .isLessThan(Crowded.AT_ONCE / 10);
        }
    }

    private static Wanted wanted(EntityKey key) {
        return new Wanted(new Partitions(Crowded.PARTITIONS).of(key), key, "user7");
    }

    private void times(int times, String... entities) {
        List<Wanted> wanted =
                Stream.of(entities).map(entity -> wanted(new EntityKey("posts", entity))).toList();
        for (int i = 0; i < times; i++) {
            assertThat(snapshots.entities(wanted, LIMIT)).hasSize(entities.length);
        }
    }
}
