package dev.ovation.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.RelayTransactionFixture.Way;
import dev.ovation.store.RelayFunction.CallResult;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.sql.SQLException;
import java.util.List;

/** Cost of a call in a session that planned it while the tables were empty. */
class RelayCallPlanTest {

    private static final int ROWS = 20_000;

    /** Rows and index entries that calls of one event with a removal read, some of them twice. */
    private static final int OF_A_CALL = 100;

    private TestEvent last = TestEvent.event(1, "op1").by("u1").add("👍").keyed("k1");

    @Test
    void readsRowsByKeyAfterTheTablesHaveGrown() throws SQLException {
        try (var connection = TestPostgres.database().getConnection()) {
            var source = new SingleConnectionDataSource(connection, true);
            var postgres = new RelayTransactionFixture(Way.ONE_CALL, source);
            postgres.jdbc.execute("analyze");
            call(postgres, last);
            next(postgres);
            for (String rows :
                    List.of(
                            "user_reaction (p, entity_no, reaction, user_id, reacted_at)"
                                    + " select 0, i, 1, 'user' || i, i",
                            "counter (p, entity_no, reaction, count, first_at, last_at)"
                                    + " select 0, i, 1, 1, i, i",
                            "entity (p, no, namespace, entity, version, last_op, last_at)"
                                    + " select 0, i, 'posts', 'e' || i, 1, 'op', i",
                            "idempotency (period, namespace, user_id, key, request_hash, op_id, answer)"
                                    + " select 1, 'posts', 'u' || i, 'key', '', '', '{}'")) {
                postgres.jdbc.update("insert into " + rows + " from generate_series(2, ?) i", ROWS);
            }
            long before = read(postgres);
            next(postgres);
            assertThat(read(postgres) - before).isLessThan(OF_A_CALL);
        }
    }

    /** As in a database of an earlier release: the other way applies the events then. */
    @Test
    void aMissingFunctionIsAResult() throws SQLException {
        try (var connection = TestPostgres.database().getConnection()) {
            var source = new SingleConnectionDataSource(connection, true);
            var postgres = new RelayTransactionFixture(Way.ONE_CALL, source);
            postgres.jdbc.execute("alter function relay_apply rename to absent");
            assertThat(result(postgres, last)).isEqualTo(CallResult.MISSING);
        }
    }

    /** A put with a key, on the last event. */
    private void next(RelayTransactionFixture postgres) {
        long seq = last.event().seq() + 1;
        boolean even = seq % 2 == 0;
        var next =
                TestEvent.event(seq, "op" + seq)
                        .on(last)
                        .by("u1")
                        .remove(even ? "👍" : "👎")
                        .add(even ? "👎" : "👍")
                        .keyed("k" + seq);
        call(postgres, last, next);
        last = next;
    }

    private static void call(RelayTransactionFixture postgres, TestEvent... entries) {
        assertThat(result(postgres, entries)).isEqualTo(CallResult.APPLIED);
    }

    private static CallResult result(RelayTransactionFixture postgres, TestEvent... entries) {
        long known = entries.length - 1 == 0 ? 0 : entries[0].event().seq();
        var fence = new Fence(RelayTransactionFixture.EPOCH, "id");
        var slice = new OutboxSlice(0, fence, known, known, 0, TestEvent.entries(entries), true);
        return postgres.call.apply(List.of(slice)).result();
    }

    /** Index entries and rows that were read, but for those of the catalogue. */
    private static long read(RelayTransactionFixture postgres) {
        postgres.jdbc.execute("select pg_stat_force_next_flush()");
        Long read =
                postgres.jdbc.queryForObject(
                        """
                        select (select sum(idx_tup_read) from pg_stat_user_indexes)
                             + (select sum(seq_tup_read) from pg_stat_user_tables)
                        """,
                        Long.class);
        return read == null ? 0 : read;
    }
}
