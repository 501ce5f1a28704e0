package dev.ovation.chaos;

import dev.ovation.chaos.Fault.Part;
import dev.ovation.testing.Citus;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Faults of a Postgres that Citus divides, and changes of its nodes and shards. */
final class CitusFaults {

    private static final String TERMINATE =
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where  backend_type = 'client backend' and pid <> pg_backend_pid()
            """;

    private static final String WORKERS =
            """
            select nodename || ':' || nodeport from pg_dist_node
            where  noderole = 'primary' and shouldhaveshards order by nodeid
            """;

    private static final String MOVE =
            """
            select citus_move_shard_placement(
                       s.shardid, s.nodename, s.nodeport::int, n.nodename, n.nodeport, '%s')
            from  (select shardid, nodename, nodeport from citus_shards
                   where  table_name = 'partition'::regclass
                   order  by random() limit 1) s
            join  (select nodename, nodeport from pg_dist_node
                   where  noderole = 'primary' and shouldhaveshards order by random()) n
                   on (n.nodename, n.nodeport) <> (s.nodename, s.nodeport)
            limit 1
            """;

    /** Bounds each change of nodes or shards. */
    private static final int MOVE_MILLIS = 600_000;

    private static final Set<String> MADE = ConcurrentHashMap.newKeySet();
    private static final Set<String> TAKEN_BACK = ConcurrentHashMap.newKeySet();

    private CitusFaults() {}

    private interface Change {
        void make(Bench bench) throws SQLException;
    }

    static List<Fault> all() {
        return List.of(
                fault("Citus: a worker killed", CitusFaults::killed),
                fault("Citus: a worker paused", CitusFaults::paused),
                fault("Citus: the coordinator killed", (_, random) -> killed(0, random)),
                fault("Citus: the coordinator paused", (_, random) -> paused(0, random)),
                fault("Citus: connections terminated", CitusFaults::terminated),
                change("Citus: a shard moved", bench -> moved(bench, "force_logical")),
                change(
                        "Citus: a shard moved, its writes waiting",
                        bench -> moved(bench, "block_writes")),
                change("Citus: shards rebalanced", CitusFaults::rebalanced),
                change("Citus: a worker added or removed", CitusFaults::addedOrRemoved),
                fault("Citus: partitions locked", CitusFaults::partitionsLocked));
    }

    private static Fault fault(String kind, Fault.Action action) {
        return new Fault(kind, Part.POSTGRES, action);
    }

    /** A change of nodes or shards. Citus takes one back that fails, as it may beside a fault. */
    private static Fault change(String kind, Change change) {
        return fault(
                kind,
                (bench, _) -> {
                    try {
                        change.make(bench);
                        MADE.add(kind);
                    } catch (DataAccessException | SQLException e) {
                        TAKEN_BACK.add(kind);
                        System.out.println("taken back: " + e.getMessage());
                    }
                });
    }

    /** Returns whether Citus took back each change of this kind. */
    static boolean isNeverMade(String kind) {
        return TAKEN_BACK.contains(kind) && !MADE.contains(kind);
    }

    private static void killed(Bench bench, Chance random) {
        killed(random.nextInt(1, 3), random);
    }

    private static void killed(int node, Chance random) {
        Citus.node("kill", "" + node);
        random.last(0, 2500);
        Citus.node("restart", "" + node);
    }

    private static void paused(Bench bench, Chance random) {
        paused(random.nextInt(1, 3), random);
    }

    private static void paused(int node, Chance random) {
        Citus.node("pause", "" + node);
        random.last(500, 6000);
        Citus.node("resume", "" + node);
    }

    /** Ends the sessions of the service, and those between the nodes. */
    private static void terminated(Bench bench, Chance random) throws SQLException {
        for (String node : nodes(bench)) {
            Citus.on(node).execute(TERMINATE);
            random.last(0, 200);
        }
    }

    private static List<String> nodes(Bench bench) throws SQLException {
        try (Connection connection = bench.connect()) {
            return sql(connection)
                    .queryForList(
                            """
                            select nodename || ':' || nodeport from pg_dist_node order by nodeid
                            """,
                            String.class);
        }
    }

    private static JdbcTemplate sql(Connection connection) {
        return new JdbcTemplate(new SingleConnectionDataSource(connection, true));
    }

    /** Opens a connection whose statements may take minutes, as a move of shards does. */
    private static Connection forChanges(Bench bench) throws SQLException {
        Connection connection = bench.connect();
        connection.setNetworkTimeout(Runnable::run, MOVE_MILLIS);
        return connection;
    }

    private static void execute(Bench bench, String... statements) throws SQLException {
        try (Connection connection = forChanges(bench)) {
            for (String statement : statements) {
                sql(connection).execute(statement);
            }
        }
    }

    private static void moved(Bench bench, String mode) throws SQLException {
        try (Connection connection = forChanges(bench)) {
            if (sql(connection).queryForList(MOVE.formatted(mode)).isEmpty()) {
                throw new SQLException("no shard was moved");
            }
        }
    }

    private static void rebalanced(Bench bench) throws SQLException {
        execute(bench, "select citus_rebalance_start()", "select citus_rebalance_wait()");
    }

    /** Adds a third worker and moves shards there, or moves them away and removes it. */
    private static void addedOrRemoved(Bench bench) throws SQLException {
        List<String> workers;
        try (Connection connection = bench.connect()) {
            workers = sql(connection).queryForList(WORKERS, String.class);
        }
        if (workers.size() < 3) {
            String third = Citus.thirdWorker();
            if (!nodes(bench).contains(third)) {
                String[] parts = third.split(":");
                execute(bench, "select citus_add_node('%s', %s)".formatted(parts[0], parts[1]));
            }
            rebalanced(bench);
        } else {
            String[] last = workers.getLast().split(":");
            String node = "('%s', %s)".formatted(last[0], last[1]);
            execute(bench, "select citus_drain_node" + node, "select citus_remove_node" + node);
        }
    }

    /** One after the other, because Citus locks rows of one shard at a time. */
    private static void partitionsLocked(Bench bench, Chance random) throws Exception {
        var locks = new StringBuilder();
        for (int p = 0; p < 16; p += 3) {
            locks.append("select 1 from partition where p = %d for update;".formatted(p));
        }
        try (var _ = Lock.of(bench, locks.toString())) {
            random.last(500, 5000);
        }
    }
}
