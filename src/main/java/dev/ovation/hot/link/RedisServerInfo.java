package dev.ovation.hot.link;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Properties that the server at the end of a connection reports. */
public final class RedisServerInfo {

    /** The section of INFO that identifies the server. */
    public static final String REPLICATION = "replication";

    /** Begins the incarnation of a node of a Redis Cluster; no replication id begins with it. */
    public static final String NODE = "@";

    private static final String NO_CLUSTER =
            "this server is a node of a Redis Cluster; name the nodes by"
                    + " spring.data.redis.cluster.nodes";

    private static final Pattern ID = Pattern.compile("master_replid:(\\w+)");

    private final StatefulRedisConnection<String, String> connection;
    private final long timeoutMillis;

    RedisServerInfo(StatefulRedisConnection<String, String> connection, Duration timeout) {
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

    /** Returns whether the section {@link #REPLICATION} of INFO is a master's. */
    public static boolean isMaster(String replication) {
        return replication.contains("role:master");
    }

    /**
     * Returns the replication id in the same section.
     *
     * @throws IllegalStateException when the section has none
     */
    public static String id(String replication) {
        Matcher matcher = ID.matcher(replication);
        if (!matcher.find()) {
            throw new IllegalStateException("this server names no replication id");
        }
        return matcher.group(1);
    }

    /** Returns whether a server with this replication id has the incarnation. */
    public static boolean isOf(String incarnation, String id) {
        return incarnation.equals(id) || incarnation.equals(NODE + id);
    }

    /**
     * Checks that the server never evicts a key that is not in Postgres yet.
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
     * Checks that the server has all keys, and not those of some slots.
     *
     * @throws IllegalStateException when it is a node of a Redis Cluster
     */
    void requireNoCluster() throws Exception {
        if (info("cluster").contains("cluster_enabled:1")) {
            throw new IllegalStateException(NO_CLUSTER);
        }
    }

    /** Returns what a node of a Redis Cluster knows of its nodes: {@code CLUSTER NODES}. */
    String clusterNodes() throws Exception {
        return await(connection.async().clusterNodes());
    }

    private String info(String section) throws Exception {
        return await(connection.async().info(section));
    }

    private <T> T await(RedisFuture<T> answer) throws Exception {
        return answer.toCompletableFuture().get(timeoutMillis, TimeUnit.MILLISECONDS);
    }
}
