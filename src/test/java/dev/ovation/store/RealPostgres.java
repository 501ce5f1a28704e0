package dev.ovation.store;

import com.zaxxer.hikari.HikariDataSource;

import dev.ovation.outbox.Database;
import dev.ovation.outbox.RealSessions;
import dev.ovation.store.shard.Shards;
import dev.ovation.store.snapshot.Snapshots;
import dev.ovation.testing.TestPostgres;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

import javax.sql.DataSource;

/** A real Postgres that shares the clock of a modelled one. */
public final class RealPostgres {

    private final JdbcTemplate jdbc;
    private final PostgresModel model;
    private final RealSessions sessions;
    private final IdempotencyTable idempotency;

    public RealPostgres(DataSource source, PostgresModel model) {
        this.jdbc = new JdbcTemplate(source);
        this.model = model;
        this.sessions = new RealSessions(new JdbcTransactionManager(source));
        this.idempotency = new IdempotencyTable(jdbc, Shards.undivided());
        numberReactions();
        setBack();
    }

    /** The model has no numbers of reactions, so a call must find them all. */
    private void numberReactions() {
        jdbc.update(
                "insert into reaction_name values (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd') on conflict do nothing");
    }

    /** Creates the database for successive models. */
    public static HikariDataSource start() {
        var source = new HikariDataSource();
        source.setDataSource(TestPostgres.database());
        source.setMaximumPoolSize(12);
        return source;
    }

    /** Access of instances to this Postgres. */
    public Database database() {
        return new Database(
                new Database.Tables(
                        new SharedClock(),
                        new EntityTable(jdbc, Shards.undivided()),
                        new ReactionTables(jdbc, Shards.undivided()),
                        idempotency,
                        new RejectedEvents(jdbc, Shards.undivided()),
                        new RelayFunction(jdbc, idempotency, Shards.undivided()),
                        new Snapshots(jdbc, Shards.undivided())),
                sessions);
    }

    /** The shipped table with another clock for the age of epochs. */
    private final class SharedClock extends PartitionTable {
        SharedClock() {
            super(jdbc, Shards.undivided());
        }

        @Override
        public List<PartitionRow> all() {
            return super.all().stream().map(this::aged).toList();
        }

        @Override
        public List<PartitionRow> lock(Collection<Integer> partitions) {
            return super.lock(partitions).stream().map(this::aged).toList();
        }

        private PartitionRow aged(PartitionRow row) {
            long age = model.now - model.committed(row.p()).takenAt;
            return new PartitionRow(
                    row.p(),
                    row.epoch(),
                    row.incarnation(),
                    age,
                    row.appliedSeq(),
                    row.appliedOp());
        }
    }

    public void killSessions() {
        sessions.kill();
    }

    /** Replaces its rows by those of the model, like a restore of a copy. */
    public void setBack() {
        sessions.kill();
        jdbc.execute(
                """
                truncate partition, epoch, entity, counter, user_reaction, removal, idempotency,
                         rejected_event
                """);
        for (int p = 0; p < model.partitions(); p++) {
            int number = p;
            var rows = model.committed(p);
            jdbc.update(
                    "insert into partition (p, epoch, incarnation, applied_seq, applied_op) values (?, ?, ?, ?, ?)",
                    p,
                    rows.epoch,
                    rows.incarnation,
                    rows.appliedSeq,
                    rows.appliedOp);
            rows.finalSeqs.forEach(
                    (epoch, end) ->
                            jdbc.update("insert into epoch values (?, ?, ?)", number, epoch, end));
            rows.rejected.forEach(
                    (epoch, seqs) ->
                            seqs.forEach(
                                    seq ->
                                            jdbc.update(
                                                    "insert into rejected_event values (?, ?, ?, '', '')",
                                                    number,
                                                    epoch,
                                                    seq)));
            rows.heads.forEach(
                    (key, head) ->
                            jdbc.update(
                                    "insert into named_entity values (?, ?, ?, ?, ?)",
                                    key.namespace(),
                                    key.entity(),
                                    head.version(),
                                    head.op(),
                                    rows.lastAts.get(key)));
            rows.counters.forEach(
                    (of, counter) ->
                            jdbc.update(
                                    "insert into named_counter values (?, ?, ?, ?, ?, ?)",
                                    of.key().namespace(),
                                    of.key().entity(),
                                    of.reaction(),
                                    counter.count(),
                                    counter.firstAt(),
                                    counter.lastAt()));
            rows.reactions.forEach(
                    (row, at) ->
                            jdbc.update(
                                    "insert into named_reaction values (?, ?, ?, ?, ?)",
                                    row.key().namespace(),
                                    row.key().entity(),
                                    row.user(),
                                    row.reaction(),
                                    at));
            if (!rows.answers.isEmpty()) {
                idempotency.insert(List.copyOf(rows.answers.values()));
            }
        }
        jdbc.execute("select count_people()");
    }

    /** Every row as text. */
    public TreeSet<String> contents() {
        return new TreeSet<>(
                jdbc.queryForList(
                        """
                        select concat_ws(' ', 'partition', p, epoch, incarnation, applied_seq, applied_op)
                        from   partition
                        union all
                        select concat_ws(' ', 'epoch', p, epoch, final_seq) from epoch
                        union all
                        select concat_ws(' ', 'rejected', p, epoch, seq) from rejected_event
                        union all
                        select concat_ws(' ', 'entity', entity, version, last_op, last_at, people)
                        from   entity
                        union all
                        select concat_ws(' ', 'counter', entity, reaction, count, first_at, last_at)
                        from   named_counter
                        union all
                        select concat_ws(' ', 'reaction', entity, user_id, reaction, reacted_at)
                        from   named_reaction
                        union all
                        select concat_ws(' ', 'answer', user_id, key, op_id) from idempotency
                        """,
                        String.class));
    }
}
