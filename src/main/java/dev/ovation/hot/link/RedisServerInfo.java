package dev.ovation.hot.link;

import io.lettuce.core.api.StatefulRedisConnection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Properties that the server at the end of a connection reports. */
public final class RedisServerInfo {

    /** The section of INFO that identifies the server. */
    public static final String REPLICATION = "replication";

    /** Why the nodes of a cluster are not used. */
    public static final String NO_CLUSTER =
            "this server is a node of a Redis Cluster, which is not supported yet; name a single"
                    + " server, or Sentinels";

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
     * Checks that the server accepts keys of every slot.
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
