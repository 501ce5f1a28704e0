package dev.ovation.hot.cluster;

import dev.ovation.hot.link.RedisServers;

import io.lettuce.core.RedisClient;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.StreamSupport;

/** Clients of single nodes, each with the settings that Spring has for the whole cluster. */
public final class ClusterClients {

    private ClusterClients() {}

    /**
     * Returns the servers of the cluster for which a factory is configured.
     *
     * @param timeout how long a command may take
     */
    public static RedisServers servers(
            LettuceConnectionFactory factory, Duration timeout, int partitions) {
        var cluster = Objects.requireNonNull(factory.getClusterConfiguration());
        var seeds =
                StreamSupport.stream(cluster.getClusterNodes().spliterator(), false)
                        .map(
                                node ->
                                        new NodeAddress(
                                                Objects.requireNonNull(node.getHost()),
                                                node.getPortOr(RedisNode.DEFAULT_PORT)))
                        .toList();
        return new ClusterServers(
                address -> client(factory, cluster, address), seeds, timeout, partitions);
    }

    private static NodeClient client(
            LettuceConnectionFactory factory,
            RedisClusterConfiguration cluster,
            NodeAddress address) {
        var one = new RedisStandaloneConfiguration(address.host(), address.port());
        one.setUsername(cluster.getUsername());
        one.setPassword(cluster.getPassword());
        var single = new LettuceConnectionFactory(one, factory.getClientConfiguration());
        single.afterPropertiesSet();
        single.start();
        return new NodeClient((RedisClient) single.getRequiredNativeClient(), single::destroy);
    }
}
