package dev.ovation.outbox.batch;

import com.zaxxer.hikari.HikariDataSource;

import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.RelayTransaction.PartitionResult;
import dev.ovation.store.EntityTable;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.ReactionTables;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.RelayFunction;
import dev.ovation.store.RelayFunction.CallResult;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.TestPostgres;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import javax.sql.DataSource;

/** The batch on a real, emptied Postgres with four partitions, all in one epoch. */
public final class RelayTransactionFixture {

    public static final long EPOCH = 7;

    private static final HikariDataSource SOURCE = pool();

    /** How a batch is applied. */
    enum Way {
        /** As {@code RelayCycle} does: by one call, and by statements if it changed nothing. */
        ONE_CALL,
        /** By the statements of {@link RelayTransaction}. */
        STATEMENTS
    }

    public final JdbcTemplate jdbc;
    public final PartitionTable partitions;
    final RelayTransaction batch;
    final RelayCall call;
    final ChangeLog log;

    /** The results of all calls, in order. */
    final List<CallResult> calls = new CopyOnWriteArrayList<>();

    private final DataSource source;
    private final Way way;

    public RelayTransactionFixture() {
        this(Way.STATEMENTS);
    }

    RelayTransactionFixture(Way way) {
        this(way, SOURCE);
    }

    /** Uses a database of the test's own. */
    RelayTransactionFixture(Way way, DataSource source) {
        this.way = way;
        this.source = source;
        jdbc = new JdbcTemplate(source);
        jdbc.execute(
                """
                truncate partition, epoch, entity, counter, user_reaction, reaction_name,
                         idempotency, removal, rejected_event, changed_entity, change_log
                """);
        jdbc.update(
                """
                insert into partition (p, epoch, incarnation)
                select p, ?, 'id' from generate_series(0, 3) p
                """,
                EPOCH);
        jdbc.update("insert into reaction_name values (1, '👍'), (2, '👎'), (3, '🔥')");
        try (var context = new AnnotationConfigApplicationContext()) {
            context.registerBean(JdbcTemplate.class, () -> jdbc);
            context.registerBean(Shards.class, Shards::undivided);
            context.register(
                    PartitionTable.class,
                    EntityTable.class,
                    ReactionTables.class,
                    IdempotencyTable.class,
                    RejectedEvents.class,
                    RelayFunction.class,
                    ChangeLog.class);
            context.refresh();
            partitions = context.getBean(PartitionTable.class);
            log = context.getBean(ChangeLog.class);
            call = new RelayCall(context.getBean(RelayFunction.class), log::isOpen);
            batch =
                    new RelayTransaction(
                            partitions,
                            context.getBean(EntityTable.class),
                            context.getBean(ReactionTables.class),
                            context.getBean(IdempotencyTable.class),
                            context.getBean(RejectedEvents.class),
                            log);
        }
    }

    /** Creates a database and connections to it. */
    static HikariDataSource pool() {
        var source = new HikariDataSource();
        source.setDataSource(TestPostgres.database());
        source.setMaximumPoolSize(4);
        source.setConnectionInitSql("set lock_timeout = '60s'"); // a broken rule may wait
        return source;
    }

    /** Logs the changes of these partitions, and lets the call know. */
    void log(int... logged) {
        jdbc.update("update partition set logged = p = any (?)", (Object) logged);
        log.note(partitions.all());
    }

    /** Transactions on a connection other than an open one. */
    public TransactionTemplate transactions() {
        var template = new TransactionTemplate(new JdbcTransactionManager(source));
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return template;
    }

    /** Runs an action in a transaction on a connection other than an open one. */
    <T> T inTransaction(Supplier<T> action) {
        return transactions().execute(_ -> action.get());
    }

    /** Applies the whole outbox of partition 0. */
    PartitionResult apply(TestEvent... outbox) {
        return apply(List.of(look(0, outbox)), Map.of()).getFirst();
    }

    List<PartitionResult> apply(List<OutboxSlice> looks, Map<String, String> poison) {
        if (way == Way.ONE_CALL && poison.isEmpty()) {
            var outcome = called(looks);
            calls.add(outcome.result());
            if (outcome.result() == CallResult.APPLIED) {
                return outcome.partitions();
            }
        }
        return transactions().execute(_ -> batch.apply(looks, poison));
    }

    private RelayCall.CallOutcome called(List<OutboxSlice> looks) {
        var none = new TransactionTemplate(new JdbcTransactionManager(source));
        none.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        try {
            return none.execute(_ -> call.apply(looks));
        } catch (DataIntegrityViolationException e) {
            return RelayCall.CallOutcome.unchanged(CallResult.DATA);
        }
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

    /** Every row that the relay writes. */
    List<String> tables() {
        return rows(
                """
                select concat_ws(' ', 'partition', p, epoch, applied_seq, applied_op, logged, log_position)
                from   partition
                union all
                select concat_ws(' ', 'entity', p, no, namespace, entity, version, last_op, last_at,
                                 people)
                from   entity
                union all
                select concat_ws(' ', 'counter', p, entity_no, reaction, count, first_at, last_at)
                from   counter
                union all
                select concat_ws(' ', 'row', p, entity_no, reaction, user_id, reacted_at, form)
                from   user_reaction
                union all
                select concat_ws(' ', 'removal', p, entity_no, reaction, user_id, removed_at)
                from   removal
                union all
                select concat_ws(' ', 'answer', namespace, user_id, key, request_hash, op_id, answer)
                from   idempotency
                union all
                select concat_ws(' ', 'rejected', p, epoch, seq, op_id, reason) from rejected_event
                union all
                select concat_ws(' ', 'changed', p, entity_no) from changed_entity
                union all
                select concat_ws(' ', 'logged', p, position, version, epoch, at, total, period, entity_no,
                                 kind, user_id, change) from change_log
                union all
                select concat_ws(' ', 'reaction', no, name) from reaction_name
                order by 1
                """);
    }

    List<String> keys() {
        return rows("select user_id, key, op_id from idempotency order by 1, 2");
    }
}
