package dev.ovation.hot;

import io.lettuce.core.api.StatefulRedisConnection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the server at the end of a connection says about itself. */
final class RedisServer {

    /** The section of INFO that says who the server is. */
    static final String REPLICATION = "replication";

    /** Why the nodes of a cluster are not used. */
    static final String NO_CLUSTER =
            "this server is a node of a Redis Cluster, which is not supported yet; name a single"
                    + " server, or Sentinels";

    private static final Pattern ID = Pattern.compile("master_replid:(\\w+)");

    private final StatefulRedisConnection<String, String> connection;
    private final long timeoutMillis;

    RedisServer(StatefulRedisConnection<String, String> connection, Duration timeout) {
        this.connection = connection;
        this.timeoutMillis = timeout.toMillis();
    }

    /**
     * Returns its replication id.
     *
     * @throws IllegalStateException when it is not a master
     */
    String incarnation() throws Exception {
        String info = info(REPLICATION);
        if (!isMaster(info)) {
            throw new IllegalStateException(
                    "this server is a replica; name the master, or Sentinels that know it");
        }
        return id(info);
    }

    /** Whether the section {@link #REPLICATION} of INFO is a master's. */
    static boolean isMaster(String replication) {
        return replication.contains("role:master");
    }

    /**
     * The replication id in the same section.
     *
     * @throws IllegalStateException when it names none
     */
    static String id(String replication) {
        Matcher matcher = ID.matcher(replication);
        if (!matcher.find()) {
            throw new IllegalStateException("this server names no replication id");
        }
        return matcher.group(1);
    }

    /**
     * Makes sure that it never evicts what is not in Postgres yet.
     *
     * @throws IllegalStateException when its policy is to evict any key
     */
    void requireSafeEviction() throws Exception {
        if (info("memory").contains("maxmemory_policy:allkeys")) {
            throw new IllegalStateException(
                    "its maxmemory-policy would evict uncommitted changes; set a volatile-* one");
        }
    }

    /**
     * Makes sure that it takes keys of every slot.
     *
     * @throws IllegalStateException when it is a node of a Redis Cluster
     */
    void requireNoCluster() throws Exception {
        if (info("cluster").contains("cluster_enabled:1")) {
            throw new IllegalStateException(NO_CLUSTER);
        }
    }

    private String info(String section) throws Exception {
        return connection
                .async()
                .info(section)
                .toCompletableFuture()
                .get(timeoutMillis, TimeUnit.MILLISECONDS);
    }
}
