package dev.ovation.hot.load;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.script.InstallScript;
import dev.ovation.hot.state.Fences;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The metrics of the hot state; a namespace may be a label, an id never is. */
public final class HotMetrics {

    private final MeterRegistry registry;
    private final Counter fences;
    private final Map<LookupCounterKey, Counter> lookups = new ConcurrentHashMap<>();
    private volatile Predicate<String> known = _ -> false;

    public HotMetrics(
            MeterRegistry registry, RedisServers servers, Fences fences, LoadQueue<?, ?> queue) {
        this.registry = registry;
        this.fences =
                Counter.builder("ovation.fences")
                        .description("Scripts refused because the epoch or the server had changed")
                        .register(registry);
        registerUp(servers);
        Gauge.builder("ovation.hot.loads.running", queue, LoadQueue::running)
                .description("Statements that load entities from Postgres")
                .register(registry);
        Gauge.builder("ovation.hot.loads.waiting", queue, LoadQueue::waiting)
                .description("Entities that wait to be loaded, the hottest first")
                .register(registry);
        Gauge.builder("ovation.hot.loads.requests", queue, LoadQueue::requests)
                .description("Requests that wait for loads of this instance")
                .register(registry);
        Gauge.builder("ovation.partitions.attached", fences, Fences::attached)
                .description("Partitions that this instance is attached to")
                .register(registry);
    }

    /** In a Redis Cluster the nodes come and go, and each has a gauge of its own. */
    private void registerUp(RedisServers servers) {
        String name = "ovation.redis.up";
        String description = "1 while Redis can be used";
        if (servers.isCluster()) {
            var nodes = MultiGauge.builder(name).description(description).register(registry);
            servers.onChange(
                    () ->
                            nodes.register(
                                    servers.all().stream().map(HotMetrics::row).toList(), true));
        } else {
            Gauge.builder(name, servers, one -> one.isUp() ? 1 : 0)
                    .description(description)
                    .register(registry);
        }
    }

    private static MultiGauge.Row<RedisLink> row(RedisLink link) {
        return MultiGauge.Row.of(Tags.of("node", link.name()), link, one -> one.isUp() ? 1 : 0);
    }

    /** Outcome of a read of the hot state. */
    public enum LookupResult {
        HIT,
        MISS,
        USER_MISS
    }

    private record LookupCounterKey(String namespace, LookupResult result) {}

    /** Sets the namespaces that may be labels; the configuration bounds their number. */
    public void labels(Predicate<String> namespaces) {
        this.known = namespaces;
    }

    public void lookup(String namespace, LookupResult result) {
        var key = new LookupCounterKey(label(namespace), result);
        Counter counter = lookups.get(key);
        if (counter == null) {
            counter = lookups.computeIfAbsent(key, this::register);
        }
        counter.increment();
    }

    private Counter register(LookupCounterKey key) {
        return Counter.builder("ovation.hot.lookups")
                .description("Lookups of hot entities by result")
                .tag("namespace", key.namespace())
                .tag("result", key.result().name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    public void load(String namespace, InstallScript.@Nullable Reply reply) {
        load(namespace, reply == null ? "failed" : reply.name().toLowerCase(Locale.ROOT));
    }

    /** Too many loads waited, or Postgres did not answer. */
    public void loadRefused(String namespace) {
        load(namespace, "refused");
    }

    private void load(String namespace, String result) {
        Counter.builder("ovation.hot.loads")
                .description("Entities loaded from Postgres by what became of the installation")
                .tag("namespace", label(namespace))
                .tag("result", result)
                .register(registry)
                .increment();
    }

    public void fenced() {
        fences.increment();
    }

    private String label(String namespace) {
        return known.test(namespace) ? namespace : "other";
    }
}
