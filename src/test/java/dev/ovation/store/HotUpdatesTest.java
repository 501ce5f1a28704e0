package dev.ovation.store;

import static dev.ovation.store.StoreFixture.ANN;
import static dev.ovation.store.StoreFixture.BEN;
import static dev.ovation.store.StoreFixture.LIKE;
import static dev.ovation.store.StoreFixture.POST;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.EntityTable.EntityStep;
import dev.ovation.store.PartitionTable.Advance;
import dev.ovation.store.ReactionTables.CounterKey;
import dev.ovation.store.ReactionTables.CounterTimes;
import dev.ovation.store.ReactionTables.UserReaction;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.Wait;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Updated rows must stay in their page and touch no index, for all indexes.
 *
 * <p>The server has no other session and no autovacuum: a transaction of another session, also in
 * another database, keeps old versions of rows, and their pages fill up.
 */
@Tag("embedded")
class HotUpdatesTest {

    private static final int CHANGES = 97;

    private final PostgresProcess postgres = PostgresProcess.start("autovacuum=off");
    private final SingleConnectionDataSource source = migrated();
    private final StoreFixture store = new StoreFixture(source);
    private final PartitionTable partitions = new PartitionTable(store.jdbc, Shards.undivided());
    private final EntityTable entities = new EntityTable(store.jdbc, Shards.undivided());
    private final ReactionTables reactions = new ReactionTables(store.jdbc, Shards.undivided());

    @AfterEach
    void stop() {
        source.destroy();
        postgres.close();
    }

    private SingleConnectionDataSource migrated() {
        var only = new SingleConnectionDataSource(postgres.url(), "postgres", "postgres", true);
        Flyway.configure().dataSource(only).locations("classpath:db/migration").load().migrate();
        return only;
    }

    @Test
    void ofCountersEntitiesAndPartitionsAreHot() {
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

    /** Ann keeps her reaction, so that its counter stays; Ben adds and removes his. */
    private void change(int seq) {
        var base = seq == 1 ? EntityHead.NONE : new EntityHead(seq - 1, "op" + (seq - 1));
        var step = new EntityStep(0, POST, base, new EntityHead(seq, "op" + seq), seq);
        var numbers = new Numbers(entities.advance(List.of(step)), new HashMap<>());
        reactions.number(List.of(LIKE), numbers);
        var user = new UserReaction(POST, seq == 1 ? ANN : BEN, LIKE);
        boolean adds = seq == 1 || seq % 2 == 0;
        reactions.apply(
                numbers,
                adds ? Map.of() : Map.of(user, (long) seq),
                adds ? Map.of(user, (long) seq) : Map.of(),
                Map.of(),
                Map.of(new CounterKey(POST, LIKE), new CounterTimes(1, seq)));
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
