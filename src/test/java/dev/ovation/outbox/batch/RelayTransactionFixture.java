package dev.ovation.outbox.batch;

import com.zaxxer.hikari.HikariDataSource;

import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.RelayTransaction.PartitionResult;
import dev.ovation.store.EntityTable;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.ReactionTables;
import dev.ovation.store.RejectedEvents;
import dev.ovation.testing.TestPostgres;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.List;
import java.util.Map;

/** The batch on a real, emptied Postgres with four partitions, all in one epoch. */
public final class RelayTransactionFixture {

    public static final long EPOCH = 7;

    private static final HikariDataSource SOURCE = pool();

    public final JdbcTemplate jdbc = new JdbcTemplate(SOURCE);
    public final PartitionTable partitions;
    final RelayTransaction batch;

    public RelayTransactionFixture() {
        jdbc.execute(
                """
                truncate partition, epoch, entity, counter, user_reaction, idempotency,
                         rejected_event
                """);
        jdbc.update(
                """
                insert into partition (p, epoch, incarnation)
                select p, ?, 'id' from generate_series(0, 3) p
                """,
                EPOCH);
        try (var context = new AnnotationConfigApplicationContext()) {
            context.registerBean(JdbcTemplate.class, () -> jdbc);
            context.register(
                    PartitionTable.class,
                    EntityTable.class,
                    ReactionTables.class,
                    IdempotencyTable.class,
                    RejectedEvents.class);
            context.refresh();
            partitions = context.getBean(PartitionTable.class);
            batch =
                    new RelayTransaction(
                            partitions,
                            context.getBean(EntityTable.class),
                            context.getBean(ReactionTables.class),
                            context.getBean(IdempotencyTable.class),
                            context.getBean(RejectedEvents.class));
        }
    }

    private static HikariDataSource pool() {
        var source = new HikariDataSource();
        source.setDataSource(TestPostgres.database());
        source.setMaximumPoolSize(4);
        return source;
    }

    /** Transactions on a connection other than an open one. */
    public TransactionTemplate transactions() {
        var template = new TransactionTemplate(new JdbcTransactionManager(SOURCE));
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return template;
    }

    /** Applies the whole outbox of partition 0. */
    PartitionResult apply(TestEvent... outbox) {
        return apply(List.of(look(0, outbox)), Map.of()).getFirst();
    }

    List<PartitionResult> apply(List<OutboxSlice> looks, Map<String, String> poison) {
        return transactions().execute(_ -> batch.apply(looks, poison));
    }

    static OutboxSlice look(int p, TestEvent... outbox) {
        return new OutboxSlice(p, new Fence(EPOCH, "id"), 0, 0, 0, TestEvent.entries(outbox), true);
    }

    /** Rows as text, one each, columns separated by a space. */
    List<String> rows(String sql) {
        return TestPostgres.rows(jdbc, sql);
    }

    List<String> reactions() {
        return rows("select entity, user_id, reaction from named_reaction order by 1, 2, 3");
    }

    List<String> counts() {
        return rows("select entity, reaction, count from named_counter order by 1, 2");
    }

    List<String> entities() {
        return rows("select entity, version, last_op from entity order by 1");
    }

    List<String> cursors() {
        return rows("select p, applied_seq, applied_op from partition where applied_seq > 0");
    }

    List<String> rejections() {
        return rows("select p, epoch, seq, op_id, reason from rejected_event order by 1, 2, 3");
    }

    List<String> keys() {
        return rows("select user_id, key, op_id from idempotency order by 1, 2");
    }
}
