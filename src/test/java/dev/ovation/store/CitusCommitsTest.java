package dev.ovation.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.EntityTable.EntityStep;
import dev.ovation.store.PartitionTable.Advance;
import dev.ovation.store.ReactionTables.CounterKey;
import dev.ovation.store.ReactionTables.CounterTimes;
import dev.ovation.store.ReactionTables.UserReaction;
import dev.ovation.store.RelayFunction.CallResult;
import dev.ovation.store.RelayFunction.ExpectedWatermark;
import dev.ovation.store.RelayFunction.RelayChange;
import dev.ovation.store.shard.Shards;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.store.snapshot.Snapshots;
import dev.ovation.store.snapshot.Snapshots.Wanted;
import dev.ovation.testing.Citus;
import dev.ovation.testing.TestPostgres;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Commits of the relay on a Citus: each is one of a single node. For a commit of two phases, the
 * session writes a row for each node before.
 */
@EnabledIf("isOnCitus")
class CitusCommitsTest {

    private static final int PARTITIONS = 16;

    private final SingleConnectionDataSource session =
            new SingleConnectionDataSource(TestPostgres.url(), "postgres", "postgres", true);
    private final JdbcTemplate sql = new JdbcTemplate(session);
    private final Shards shards = new Shards(sql);
    private final PartitionTable partitions = new PartitionTable(sql, shards);
    private final TransactionTemplate transactions =
            new TransactionTemplate(new JdbcTransactionManager(session));

    static boolean isOnCitus() {
        return Citus.IS_GIVEN;
    }

    CitusCommitsTest() {
        transactions.executeWithoutResult(_ -> partitions.initialise(PARTITIONS));
        shards.read(PARTITIONS);
        sql.update("insert into reaction_name (no, name) values (1, 'like')");
    }

    @AfterEach
    void twoPhasesAreSeen() {
        long before = phases();
        sql.update("insert into user_ban (user_id, namespace, reactions) values ('a', '', 'keep')");
        assertThat(phases()).isGreaterThan(before);
        session.destroy();
    }

    @Test
    void aCallIsOfOneNode() {
        var function = new RelayFunction(sql, new IdempotencyTable(sql, shards), shards);
        long before = phases();

        for (int p = 0; p < PARTITIONS; p++) {
            assertThat(function.call(addition(p))).isEqualTo(CallResult.APPLIED);
        }

        assertThat(phases()).isEqualTo(before);
        assertThat(sql.queryForObject("select count(*) from user_reaction", Long.class))
                .isEqualTo(PARTITIONS);
    }

    @Test
    void entitiesAreReadByTheNodeOfTheirShard() {
        var function = new RelayFunction(sql, new IdempotencyTable(sql, shards), shards);
        var keys = IntStream.range(0, PARTITIONS).mapToObj(CitusCommitsTest::entityOf).toList();
        IntStream.range(0, PARTITIONS).forEach(p -> function.call(addition(p)));
        var statements = new ArrayList<String>();
        var snapshots = new Snapshots(recording(statements), shards);
        var wanted =
                keys.stream().map(key -> new Wanted(shards.partition(key), key, "ann")).toList();

        var found = snapshots.entities(wanted, 10);

        assertThat(found)
                .allSatisfy(
                        one -> {
                            assertThat(one.version()).isEqualTo(1);
                            assertThat(one.counters())
                                    .containsExactly(new Counter("like", 1, 5, 5));
                            assertThat(one.users()).isEqualTo(Map.of("ann", List.of("like")));
                        });
        assertThat(statements).allMatch(one -> one.contains("read_entities_at"));
        // Within a transaction Citus would call the function on the coordinator.
        statements.clear();
        assertThat(transactions.<List<EntitySnapshot>>execute(_ -> snapshots.entities(wanted, 10)))
                .isEqualTo(found);
        assertThat(statements).noneMatch(one -> one.contains("read_entities_at"));
    }

    /** As after a split of a shard, until the next read of the division. */
    @Test
    void aReadOfTwoShardsFailsInsteadOfMissingEntities() {
        var function = new RelayFunction(sql, new IdempotencyTable(sql, shards), shards);
        IntStream.range(0, PARTITIONS).forEach(p -> function.call(addition(p)));
        int other =
                IntStream.range(0, PARTITIONS)
                        .filter(p -> shards.of(p) != shards.of(0))
                        .findFirst()
                        .orElseThrow();
        var wanted =
                IntStream.of(0, other).mapToObj(p -> new Wanted(p, entityOf(p), null)).toList();
        var before = Shards.of(new long[PARTITIONS]);

        assertThatThrownBy(() -> new Snapshots(sql, before).entities(wanted, 10))
                .isInstanceOf(DataAccessException.class);
    }

    @Test
    void entitiesOfAShardWithoutTheFunctionAreReadByTheStatement() {
        var function = new RelayFunction(sql, new IdempotencyTable(sql, shards), shards);
        function.call(addition(0));
        sql.queryForList(
                "select * from run_command_on_all_nodes('drop function if exists read_entities_%d')"
                        .formatted(shards.of(0)));
        assertThat(copies()).isEqualTo(2);

        assertThat(
                        new Snapshots(sql, shards)
                                .entities(List.of(new Wanted(0, entityOf(0), null)), 10))
                .extracting(EntitySnapshot::version)
                .containsExactly(1L);
    }

    @Test
    void aTransactionOnTheRowsOfAShardIsOfOneNode() {
        long before = phases();

        for (List<Integer> some : shards.all()) {
            shards.within(
                    some,
                    () ->
                            transactions.execute(
                                    _ -> {
                                        assertThat(partitions.lock(some)).hasSameSizeAs(some);
                                        partitions.advance(
                                                some.stream().map(p -> step(p)).toList());
                                        return true;
                                    }));
        }

        assertThat(phases()).isEqualTo(before);
        assertThat(partitions.all()).allMatch(row -> row.appliedSeq() == 1);
    }

    /** The copies of a function for the shards follow it, also where it gets another setting. */
    @Test
    void aNewBodyOfTheFunctionIsCalledAfterItsMigration() {
        var function = new RelayFunction(sql, new IdempotencyTable(sql, shards), shards);
        assertThat(function.call(addition(0))).isEqualTo(CallResult.APPLIED);
        assertThat(copies()).isEqualTo(3);
        migrate(session.getUrl(), "public");
        assertThat(copies()).isEqualTo(3);

        String definition =
                sql.queryForObject(
                        "select pg_get_functiondef('relay_apply'::regproc)", String.class);
        String begin = "begin\n";
        sql.execute(
                definition.replaceFirst(
                        begin, begin + "    return 'log'; -- of a later migration\n"));
        migrate(session.getUrl(), "public");
        assertThat(copies()).isEqualTo(2);

        assertThat(function.call(addition(1))).isEqualTo(CallResult.LOG);
        assertThat(function.call(addition(0))).isEqualTo(CallResult.LOG);
        assertThat(copies()).isEqualTo(3L * shardsOf(0, 1));

        sql.execute("alter function keep_answers set work_mem = '8MB'");
        migrate(session.getUrl(), "public");
        assertThat(copies()).isEqualTo(2L * shardsOf(0, 1));
    }

    /** The copies of functions on all nodes. */
    private long copies() {
        return sql.queryForObject(
                """
                select sum(result::bigint) from run_command_on_all_nodes(
                    $$select count(*) from pg_proc where proname ~ '^(relay_apply|keep_answers|read_entities)_[0-9]+$'$$)
                """,
                Long.class);
    }

    private long shardsOf(int... some) {
        return IntStream.of(some).mapToLong(shards::of).distinct().count();
    }

    private static void migrate(String url, String schema) {
        Flyway.configure()
                .dataSource(url, "postgres", "postgres")
                .locations("classpath:db/migration")
                .schemas(schema)
                .initSql("set ovation.citus = true")
                .load()
                .migrate();
    }

    /** Nodes know no search path of the service. */
    @Test
    void aCallIsOfTheSchemaOfItsTables() {
        String url = TestPostgres.emptyUrl() + "?currentSchema=elsewhere";
        var source = new SingleConnectionDataSource(url, "postgres", "postgres", true);
        try {
            migrate(url, "elsewhere");
            var there = new JdbcTemplate(source);
            var divided = new Shards(there);
            new TransactionTemplate(new JdbcTransactionManager(source))
                    .executeWithoutResult(
                            _ -> new PartitionTable(there, divided).initialise(PARTITIONS));
            divided.read(PARTITIONS);
            there.update("insert into reaction_name (no, name) values (1, 'like')");
            var table = new IdempotencyTable(there, divided);

            assertThat(new RelayFunction(there, table, divided).call(addition(0)))
                    .isEqualTo(CallResult.APPLIED);
        } finally {
            source.destroy();
        }
    }

    /** Such as one whose node died between the two phases of its commit. */
    @Test
    void aPreparedTransactionIsKnownAndHoldsItsPartition() {
        String node =
                sql.queryForObject(
                        """
                        select nodename || ':' || nodeport from pg_dist_shard_placement
                        where  shardid = ?
                        """,
                        String.class,
                        shards.of(0));
        var worker =
                new SingleConnectionDataSource(
                        "jdbc:postgresql://%s/%s"
                                .formatted(
                                        node,
                                        sql.queryForObject(
                                                "select current_database()", String.class)),
                        "postgres",
                        "postgres",
                        true);
        try {
            var there = new JdbcTemplate(worker);
            there.execute("set citus.enable_manual_changes_to_shards = on");
            there.execute("begin");
            there.update(
                    "update partition_%d set applied_op = 'decided' where p = 0"
                            .formatted(shards.of(0)));
            there.execute("prepare transaction 'citus_decided'");

            assertThat(shards.prepared()).contains("citus_decided");
            assertThatThrownBy(this::awaitPartition).isInstanceOf(DataAccessException.class);
            there.execute("commit prepared 'citus_decided'");

            assertThat(shards.prepared()).doesNotContain("citus_decided");
            awaitPartition();
            assertThat(partitions.all().getFirst().appliedOp()).isEqualTo("decided");
        } finally {
            worker.destroy();
        }
    }

    private void awaitPartition() {
        transactions.executeWithoutResult(
                _ -> {
                    shards.setLocal("lock_timeout = '100ms'");
                    partitions.await(0);
                });
    }

    /** The rows that this database and session have written for commits of two phases. */
    private long phases() {
        sql.queryForList("select pg_stat_force_next_flush()");
        sql.queryForList("select pg_stat_clear_snapshot()");
        return sql.queryForObject(
                "select pg_stat_get_tuples_inserted('pg_dist_transaction'::regclass)", Long.class);
    }

    private JdbcTemplate recording(List<String> statements) {
        return new JdbcTemplate(session) {
            @Override
            public void query(String statement, RowCallbackHandler rows, Object... arguments) {
                statements.add(statement);
                super.query(statement, rows, arguments);
            }
        };
    }

    private static Advance step(int p) {
        return new Advance(p, 0, 0, 1, "op " + p);
    }

    private static EntityKey entityOf(int p) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> new EntityKey("posts", "post " + i))
                .filter(each -> new Partitions(PARTITIONS).of(each) == p)
                .findFirst()
                .orElseThrow();
    }

    private static RelayChange addition(int p) {
        EntityKey key = entityOf(p);
        return new RelayChange(
                List.of(new ExpectedWatermark(step(p), "")),
                List.of(
                        new EntityStep(
                                p, key, new EntityHead(0, ""), new EntityHead(1, "op " + p), 5)),
                Map.of(),
                Map.of(new UserReaction(key, "ann", "like"), 5L),
                Map.of(),
                Map.of(new CounterKey(key, "like"), new CounterTimes(5, 5)),
                List.of(),
                List.of());
    }
}
