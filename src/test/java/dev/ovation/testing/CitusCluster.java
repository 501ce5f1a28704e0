package dev.ovation.testing;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Databases on a cluster of Citus, whose database postgres knows the nodes. */
final class CitusCluster implements PostgresServer {

    /** Few, because each database of a test creates them anew. */
    private static final int SHARDS = 6;

    private final List<Node> nodes;
    private final ConcurrentLinkedQueue<String> created = new ConcurrentLinkedQueue<>();

    CitusCluster() {
        nodes =
                new JdbcTemplate(Citus.source(Citus.COORDINATOR, "postgres"))
                        .query(
                                """
                                select nodename || ':' || nodeport, shouldhaveshards from pg_dist_node
                                order  by groupid
                                """,
                                (row, _) -> new Node(row.getString(1), row.getBoolean(2)));
        Runtime.getRuntime().addShutdownHook(new Thread(this::drop));
    }

    private record Node(String address, boolean hasShards) {}

    @Override
    public String url(String database) {
        return "jdbc:postgresql://%s/%s".formatted(Citus.COORDINATOR, database);
    }

    /** Creates a database on all nodes; none is copied. */
    @Override
    public void create(String name, String template) {
        created.add(name);
        for (Node node : nodes) {
            new JdbcTemplate(Citus.source(node.address, "postgres"))
                    .execute("create database " + name);
            new JdbcTemplate(Citus.source(node.address, name)).execute("create extension citus");
        }
        var statements = new ArrayList<String>();
        statements.add("alter database %s set citus.shard_count = %d".formatted(name, SHARDS));
        for (Node node : nodes) {
            String[] parts = node.address.split(":");
            statements.add(
                    "select %s('%s', %s)"
                            .formatted(
                                    node.address.equals(nodes.getFirst().address)
                                            ? "citus_set_coordinator_host"
                                            : "citus_add_node",
                                    parts[0],
                                    parts[1]));
            statements.add(
                    "select citus_set_node_property('%s', %s, 'shouldhaveshards', %s)"
                            .formatted(
                                    parts[0],
                                    parts[1],
                                    String.valueOf(node.hasShards).toLowerCase(Locale.ROOT)));
        }
        var coordinator = new JdbcTemplate(Citus.source(Citus.COORDINATOR, name));
        statements.forEach(coordinator::execute);
        if (template.equals(TestPostgres.TEMPLATE)) {
            TestPostgres.migrate(database(name));
        }
    }

    private void drop() {
        for (String name : created) {
            for (Node node : nodes) {
                new JdbcTemplate(Citus.source(node.address, "postgres"))
                        .execute("drop database if exists " + name + " with (force)");
            }
        }
    }
}
