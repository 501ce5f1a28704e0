package dev.ovation.testing;

import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

/** The cluster that {@code docker/citus start} has started on this machine. */
public final class Citus {

    /** Address of the coordinator, {@code host:port}; empty if the tests use another Postgres. */
    static final String COORDINATOR = System.getProperty("citus.coordinator", "");

    /** Whether the tests run on a cluster. */
    public static final boolean IS_GIVEN = !COORDINATOR.isEmpty();

    /**
     * Options of a connection whose transaction has one snapshot on each node, because it uses one
     * connection to each; percent-encoded. Nothing without a cluster.
     */
    public static final String SNAPSHOTS =
            IS_GIVEN ? "-c%20citus.max_adaptive_executor_pool_size=1" : "";

    private Citus() {}

    /** Returns statements on the database postgres of a node, {@code host:port}. */
    public static JdbcTemplate on(String node) {
        return new JdbcTemplate(source(node, "postgres"));
    }

    static DataSource source(String node, String database) {
        var source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://%s/%s".formatted(node, database));
        source.setUser("postgres");
        source.setPassword("postgres");
        return source;
    }

    /** Returns a worker besides the first two, which it starts if there is none. */
    public static String thirdWorker() {
        String workers =
                """
                select nodename || ':' || nodeport from pg_dist_node
                where  shouldhaveshards order by nodeid
                """;
        if (on(COORDINATOR).queryForList(workers, String.class).size() < 3) {
            node("add");
        }
        return on(COORDINATOR).queryForList(workers, String.class).get(2);
    }

    /** Runs a command of {@code docker/citus}, such as {@code kill 1}. */
    public static void node(String... command) {
        var all = new ArrayList<>(List.of("docker/citus"));
        all.addAll(List.of(command));
        try {
            Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(all + ": " + output);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
