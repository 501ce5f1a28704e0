package dev.ovation.hot.link;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

import java.util.List;
import java.util.Map;

/** Refuses, at the start, addresses of Redis that Spring supports and this service does not. */
public final class RedisAddresses {

    private static final String INSTEAD =
            " Name one server by spring.data.redis.url, or Sentinels by"
                    + " spring.data.redis.sentinel.master and spring.data.redis.sentinel.nodes,"
                    + " or nodes of a Redis Cluster by spring.data.redis.cluster.nodes.";

    private static final Map<String, String> REFUSED =
            Map.of(
                    "spring.data.redis.masterreplica.nodes",
                    "Replicas are not used: state must not be older than the master's." + INSTEAD);

    private RedisAddresses() {}

    /**
     * Checks the settings.
     *
     * @throws InvalidConfigurationPropertyValueException naming the unsupported setting
     */
    public static void check(Environment environment) {
        Binder binder = Binder.get(environment);
        REFUSED.forEach(
                (name, reason) -> {
                    List<String> nodes =
                            binder.bind(name, Bindable.listOf(String.class)).orElse(List.of());
                    if (nodes.stream().anyMatch(node -> !node.isBlank())) {
                        throw new InvalidConfigurationPropertyValueException(
                                name, String.join(",", nodes), reason);
                    }
                });
    }
}
