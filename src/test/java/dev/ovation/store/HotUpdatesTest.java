package dev.ovation.store;

import static dev.ovation.store.StoreFixture.ANN;
import static dev.ovation.store.StoreFixture.BEN;
import static dev.ovation.store.StoreFixture.LIKE;
import static dev.ovation.store.StoreFixture.POST;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.store.EntityTable.Head;
import dev.ovation.store.EntityTable.Step;
import dev.ovation.store.PartitionTable.Advance;
import dev.ovation.store.ReactionTables.CounterKey;
import dev.ovation.store.ReactionTables.Times;
import dev.ovation.store.ReactionTables.UserReaction;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.util.List;
import java.util.Map;

/**
 * Whatever is indexed: rows that each change updates stay in their page, and no index is touched.
 * The database and its only connection are this test's own: updates of other tests may be counted
 * seconds later, and while anybody else looks at the rows, an autovacuum too, pages fill up.
 */
class HotUpdatesTest {

    private static final int CHANGES = 97;

    private final SingleConnectionDataSource source =
            new SingleConnectionDataSource(TestPostgres.url(), "postgres", "postgres", true);
    private final StoreFixture store = new StoreFixture(source);
    private final PartitionTable partitions = new PartitionTable(store.jdbc);
    private final EntityTable entities = new EntityTable(store.jdbc);
    private final ReactionTables reactions = new ReactionTables(store.jdbc);

    @AfterEach
    void disconnect() {
        source.destroy();
    }

    @Test
    void ofCountersEntitiesAndPartitionsAreHot() {
        for (String table : List.of("partition", "entity", "counter")) {
            store.jdbc.execute("alter table " + table + " set (autovacuum_enabled = false)");
        }
        store.transaction(() -> partitions.initialise(1));
        long[] before = updates();
        for (int i = 1; i <= CHANGES; i++) {
            int seq = i;
            store.transaction(() -> change(seq));
        }
        Wait.until("they are counted", () -> updates()[0] - before[0] >= 3 * CHANGES - 2);

        long[] after = updates();
        assertThat(after[1] - before[1]).isEqualTo(after[0] - before[0]);
    }

    /** Ann keeps her reaction, so that its counter stays; Ben gives and takes back his. */
    private void change(int seq) {
        var base = seq == 1 ? Head.NONE : new Head(seq - 1, "op" + (seq - 1));
        entities.advance(List.of(new Step(POST, base, new Head(seq, "op" + seq), seq)));
        var user = new UserReaction(POST, seq == 1 ? ANN : BEN, LIKE);
        boolean adds = seq == 1 || seq % 2 == 0;
        reactions.apply(
                adds ? List.of() : List.of(user),
                adds ? Map.of(user, (long) seq) : Map.of(),
                Map.of(new CounterKey(POST, LIKE), new Times(1, seq)));
        partitions.advance(List.of(new Advance(0, 0, seq - 1, seq, "op" + seq)));
    }

    private long[] updates() {
        store.jdbc.execute("select pg_stat_force_next_flush()");
        return store.jdbc.queryForObject(
                """
                select sum(n_tup_upd), sum(n_tup_hot_upd)
                from   pg_stat_user_tables
                where  relname in ('partition', 'entity', 'counter')
                """,
                (row, _) -> new long[] {row.getLong(1), row.getLong(2)});
    }
}
