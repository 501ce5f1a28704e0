package dev.ovation.hot.cluster;

import dev.ovation.hot.cluster.Holders.Claim;
import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The masters of a Redis Cluster, each with a link of its own. Each link asks its node every 250 ms
 * which slots it serves, and which other nodes it knows. The settings name the first nodes.
 */
public final class ClusterServers implements RedisServers {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterServers.class);
    private static final long ROUND_MILLIS = 250;

    private final Function<NodeAddress, NodeClient> clients;
    private final Set<NodeAddress> seeds;
    private final Duration timeout;
    private final Duration fresh;
    private final Semaphore wake = new Semaphore(0);
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Only the thread of this class uses it. */
    private final Map<NodeAddress, ClusterNode> nodes = new LinkedHashMap<>();

    private volatile ClusterState state;
    private volatile @Nullable Consumer<RedisLink> subscription;
    private volatile @Nullable RedisLink subscribed;
    private volatile boolean running;
    private @Nullable Thread thread;

    /**
     * Creates the servers of a cluster.
     *
     * @param clients makes a client of a node
     * @param seeds addresses of some nodes, masters or replicas
     * @param timeout how long a command may take
     */
    public ClusterServers(
            Function<NodeAddress, NodeClient> clients,
            Collection<NodeAddress> seeds,
            Duration timeout,
            int partitions) {
        this.clients = clients;
        this.seeds = Set.copyOf(seeds);
        this.timeout = timeout;
        this.fresh = timeout.multipliedBy(2).plusSeconds(1);
        this.state = new ClusterState(List.of(), List.of(), Holders.none(partitions));
    }

    /**
     * The links, whose order does not matter, their incarnations, and the holders of partitions.
     */
    private record ClusterState(
            List<RedisLink> links,
            List<Optional<String>> incarnations,
            Holders<RedisLink> holders) {}

    @Override
    public @Nullable RedisLink find(int p) {
        return state.holders().of(p);
    }

    @Override
    public boolean holds(RedisLink link, int p) {
        return p < state.holders().nodes().size() && link.equals(find(p));
    }

    @Override
    public List<RedisLink> all() {
        return state.links();
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public boolean isMoving(int p) {
        return state.holders().isMoving(p);
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void checkSoon() {
        all().forEach(RedisLink::checkSoon);
    }

    @Override
    public void subscribe(String channel, Consumer<String> messages, Runnable begun) {
        subscription = link -> link.subscribe(channel, messages, begun);
        wake.release();
    }

    /** A node passes a message on to all others, so that it reaches each subscriber once. */
    @Override
    public void publish(String channel, String message) {
        var link = subscribed;
        if (link == null || !link.isUp()) {
            link =
                    all().stream()
                            .filter(RedisLink::isUp)
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            new RedisUnavailableException(
                                                    "no node of the Redis Cluster can be reached"));
        }
        var _ = link.relay().publish(channel, message);
    }

    @Override
    public synchronized void start() {
        running = true;
        thread = Thread.ofPlatform().name("redis-cluster").start(this::run);
    }

    @Override
    public synchronized void stop() {
        running = false;
        wake.release();
        try {
            if (thread != null) {
                thread.join(timeout.toMillis() * 3);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private void run() {
        try {
            while (running) {
                update();
                if (wake.tryAcquire(ROUND_MILLIS, TimeUnit.MILLISECONDS)) {
                    wake.drainPermits();
                }
            }
            for (Thread closing : nodes.values().stream().map(ClusterServers::close).toList()) {
                closing.join(timeout.toMillis() * 2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread close(ClusterNode node) {
        return Thread.ofVirtual().name("redis-cluster-close").start(node::close);
    }

    private void update() {
        try {
            link(wanted());
            subscribe();
            var before = state;
            var links = nodes.values().stream().map(ClusterNode::link).toList();
            var incarnations = links.stream().map(RedisLink::incarnation).toList();
            var now = new ClusterState(links, incarnations, before.holders().by(claims()));
            if (!now.equals(before)) {
                state = now;
                listeners.forEach(Runnable::run);
            }
        } catch (RuntimeException e) {
            LOG.warn("The nodes of the Redis Cluster could not be compared; this is repeated", e);
        }
    }

    /**
     * Returns the addresses of the masters that any node names. While no node answers, these are
     * the last ones and those of the settings, because all nodes may have got new addresses.
     */
    private Set<NodeAddress> wanted() {
        var named = new TreeSet<NodeAddress>();
        for (ClusterNode node : nodes.values()) {
            var view = node.viewWithin(fresh);
            if (view != null) {
                named.addAll(view.masters());
            }
        }
        if (named.isEmpty()) {
            named.addAll(nodes.keySet());
            named.addAll(seeds);
        }
        return named;
    }

    private void link(Set<NodeAddress> wanted) {
        for (NodeAddress address : wanted) {
            if (!nodes.containsKey(address)) {
                var node = new ClusterNode(address, clients, timeout, wake::release);
                node.link().start();
                nodes.put(address, node);
            }
        }
        nodes.values()
                .removeIf(
                        node -> {
                            boolean gone = !wanted.contains(node.address());
                            if (gone) {
                                LOG.info("{} is no master any more", node.link());
                                close(node);
                            }
                            return gone;
                        });
    }

    private List<Claim<RedisLink>> claims() {
        var claims = new ArrayList<Claim<RedisLink>>();
        for (ClusterNode node : nodes.values()) {
            var view = node.view();
            if (view != null) {
                claims.add(new Claim<>(node.link(), node.link().isUp(), view));
            }
        }
        return claims;
    }

    /** Subscribes at any node that is up, instances at different ones. */
    private void subscribe() {
        var wanted = subscription;
        var before = subscribed;
        boolean holds =
                before != null
                        && before.isUp()
                        && nodes.values().stream().anyMatch(node -> node.link() == before);
        var up = nodes.values().stream().map(ClusterNode::link).filter(RedisLink::isUp).toList();
        if (wanted != null && !holds && !up.isEmpty()) {
            if (before != null) {
                before.unsubscribe();
            }
            var next = up.get(ThreadLocalRandom.current().nextInt(up.size()));
            subscribed = next;
            wanted.accept(next);
        }
    }
}
