package dev.ovation.chaos;

import dev.ovation.chaos.Fault.Part;
import dev.ovation.testing.Citus;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

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

    private CitusFaults() {}

    static List<Fault> all() {
        return List.of(
                fault("Citus: a worker killed", CitusFaults::killed),
                fault("Citus: a worker paused", CitusFaults::paused),
                fault("Citus: the coordinator killed", (_, random) -> killed(0, random)),
                fault("Citus: the coordinator paused", (_, random) -> paused(0, random)),
                fault("Citus: connections terminated", CitusFaults::terminated),
                fault(
                        "Citus: a shard moved",
                        (bench, _) -> change(bench, MOVE.formatted("force_logical"))),
                fault(
                        "Citus: a shard moved, its writes waiting",
                        (bench, _) -> change(bench, MOVE.formatted("block_writes"))),
                fault("Citus: shards rebalanced", (bench, _) -> rebalance(bench)),
                fault("Citus: a worker added or removed", (bench, _) -> addOrRemove(bench)),
                fault("Citus: partitions locked", CitusFaults::partitionsLocked));
    }

    private static Fault fault(String kind, Fault.Action action) {
        return new Fault(kind, Part.POSTGRES, action);
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

    /** Citus takes a change back that fails beside another fault. */
    private static void change(Bench bench, String... statements) {
        try (Connection connection = bench.connect()) {
            for (String statement : statements) {
                sql(connection).execute(statement);
            }
        } catch (DataAccessException | SQLException e) {
            System.out.println("taken back: " + e.getMessage());
        }
    }

    private static void rebalance(Bench bench) {
        change(bench, "select citus_rebalance_start()", "select citus_rebalance_wait()");
    }

    /** Adds a third worker and moves shards there, or moves them away and removes it. */
    private static void addOrRemove(Bench bench) throws SQLException {
        List<String> workers;
        try (Connection connection = bench.connect()) {
            workers = sql(connection).queryForList(WORKERS, String.class);
        }
        if (workers.size() < 3) {
            String third = Citus.thirdWorker();
            if (!nodes(bench).contains(third)) {
                String[] parts = third.split(":");
                change(bench, "select citus_add_node('%s', %s)".formatted(parts[0], parts[1]));
            }
            rebalance(bench);
        } else {
            String[] last = workers.getLast().split(":");
            String node = "('%s', %s)".formatted(last[0], last[1]);
            change(bench, "select citus_drain_node" + node, "select citus_remove_node" + node);
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
