package dev.ovation.testing;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;

/**
 * Commands to Redis, past the service; to a Redis Cluster, each to the node of its key.
 *
 * @param end ends the connection
 */
public record RedisSession(RedisCommands<String, String> commands, Runnable end)
        implements AutoCloseable {

    /** Opens a session at one server. */
    static RedisSession at(String uri) {
        var client = RedisClient.create(uri);
        return new RedisSession(client.connect().sync(), client::shutdown);
    }

    /** Opens a session at a cluster, of which these are nodes. */
    static RedisSession atCluster(List<String> uris) {
        var client = RedisClusterClient.create(uris.stream().map(RedisURI::create).toList());
        client.setOptions(
                ClusterClientOptions.builder()
                        .topologyRefreshOptions(
                                ClusterTopologyRefreshOptions.builder()
                                        .enablePeriodicRefresh(Duration.ofSeconds(3))
                                        .adaptiveRefreshTriggersTimeout(Duration.ofMillis(100))
                                        .build())
                        .validateClusterNodeMembership(false)
                        .build());
        Object all = client.connect().sync();
        var commands =
                (RedisCommands<?, ?>)
                        Proxy.newProxyInstance(
                                RedisSession.class.getClassLoader(),
                                new Class<?>[] {RedisCommands.class},
                                (_, method, arguments) -> call(all, method, arguments));
        @SuppressWarnings("unchecked") // the codec is the one of strings
        var typed = (RedisCommands<String, String>) commands;
        return new RedisSession(typed, client::shutdown);
    }

    /** Calls the method of the cluster's commands with the same name and parameters. */
    private static Object call(Object all, Method method, Object[] arguments) throws Throwable {
        try {
            return all.getClass()
                    .getMethod(method.getName(), method.getParameterTypes())
                    .invoke(all, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public void close() {
        end.run();
    }
}
