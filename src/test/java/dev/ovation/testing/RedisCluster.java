package dev.ovation.testing;

import io.lettuce.core.MigrateArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis Cluster of processes of the embedded binary. One lost master stops only its own slots. A
 * test may kill and pause nodes, move slots, and have replicas promoted.
 */
public final class RedisCluster implements AutoCloseable {

    /** Whether tests of one Redis shall have a cluster in its place, by {@code -Pcluster}. */
    public static final boolean CHOSEN = "cluster".equals(System.getProperty("test.servers"));

    /** Number of servers in the place of one Redis: masters of a chosen cluster, or one. */
    public static final int SERVERS = CHOSEN ? 3 : 1;

    private static final int MOST_KEYS = 50;
    private static final long MIGRATE_MILLIS = 5000;

    /** Time without an answer after which the others count a node as failed. */
    private static final int NODE_TIMEOUT_MILLIS = 3000;

    private static final RedisClient CLIENT = RedisClient.create();

    private final List<RedisProcess> nodes;
    private final RedisSession session;

    private RedisCluster(List<RedisProcess> nodes) {
        this.nodes = nodes;
        this.session = RedisSession.atCluster(nodes.stream().map(RedisProcess::uri).toList());
    }

    /**
     * Starts a cluster.
     *
     * @param masters number of masters, with equal parts of the slots
     * @param replicas number of replicas of each master
     * @param options of all nodes, as on their command line
     */
    public static RedisCluster start(int masters, int replicas, String... options) {
        var all =
                Stream.concat(
                                Stream.of(
                                        "--cluster-enabled",
                                        "yes",
                                        "--cluster-config-file",
                                        "nodes.conf",
                                        "--cluster-node-timeout",
                                        "" + NODE_TIMEOUT_MILLIS,
                                        "--cluster-require-full-coverage",
                                        "no",
                                        "--cluster-replica-validity-factor",
                                        "0",
                                        "--repl-diskless-sync",
                                        "yes",
                                        "--repl-diskless-sync-delay",
                                        "0"),
                                Arrays.stream(options))
                        .toArray(String[]::new);
        var nodes =
                IntStream.range(0, masters * (1 + replicas))
                        .mapToObj(_ -> RedisProcess.start(all))
                        .toList();
        join(nodes, masters);
        return new RedisCluster(nodes);
    }

    private static void join(List<RedisProcess> nodes, int masters) {
        for (int i = 0; i < nodes.size(); i++) {
            int number = i;
            ask(nodes.get(i), redis -> redis.clusterSetConfigEpoch(number + 1L));
            if (i < masters) {
                int[] slots =
                        IntStream.range(
                                        SlotHash.SLOT_COUNT * i / masters,
                                        SlotHash.SLOT_COUNT * (i + 1) / masters)
                                .toArray();
                ask(nodes.get(i), redis -> redis.clusterAddSlots(slots));
            }
        }
        var first = nodes.getFirst();
        for (RedisProcess other : nodes) {
            if (other != first) {
                ask(first, redis -> redis.clusterMeet("127.0.0.1", other.port()));
            }
        }
        Wait.until(
                "all nodes know each other",
                () ->
                        nodes.stream()
                                .allMatch(
                                        node ->
                                                lines(node).size() == nodes.size()
                                                        && lines(node).stream()
                                                                .noneMatch(
                                                                        line ->
                                                                                line.flags()
                                                                                        .contains(
                                                                                                "handshake"))));
        for (int i = masters; i < nodes.size(); i++) {
            String master = id(nodes.get(i % masters));
            ask(nodes.get(i), redis -> redis.clusterReplicate(master));
        }
        Wait.until(
                "the cluster is well, and all replicas are in sync",
                () -> nodes.stream().allMatch(node -> isWell(node, nodes.size() - masters)));
    }

    private static boolean isWell(RedisProcess node, int replicas) {
        String replication = ask(node, redis -> redis.info("replication"));
        boolean synced =
                replication.contains("role:master")
                        || replication.contains("master_link_status:up");
        String info = ask(node, RedisCommands::clusterInfo);
        return synced
                && info.contains("cluster_state:ok")
                && info.contains("cluster_slots_ok:" + SlotHash.SLOT_COUNT)
                && lines(node).stream().filter(line -> !line.isMaster()).count() == replicas;
    }

    /** A line of {@code CLUSTER NODES}. */
    private record Line(String id, int port, String flags, String master, List<String> slots) {

        static Line read(String text) {
            String[] parts = text.split(" ");
            String port = parts[1].replaceFirst("@.*", "").replaceFirst(".*:", "");
            return new Line(
                    parts[0],
                    Integer.parseInt(port),
                    parts[2],
                    parts[3],
                    List.of(parts).subList(Math.min(8, parts.length), parts.length));
        }

        boolean isMaster() {
            return flags.contains("master");
        }

        boolean isMyself() {
            return flags.contains("myself");
        }

        boolean has(int slot) {
            return slots.stream()
                    .filter(part -> !part.startsWith("["))
                    .map(part -> part.split("-"))
                    .anyMatch(
                            range ->
                                    Integer.parseInt(range[0]) <= slot
                                            && slot <= Integer.parseInt(range[range.length - 1]));
        }
    }

    private static List<Line> lines(RedisProcess node) {
        return ask(node, RedisCommands::clusterNodes).lines().map(Line::read).toList();
    }

    private static Line own(RedisProcess node) {
        return lines(node).stream().filter(Line::isMyself).findFirst().orElseThrow();
    }

    private static String id(RedisProcess node) {
        return own(node).id();
    }

    /** The address of the cluster, for {@link Instance#start}. */
    public String uri() {
        return "redis-cluster://"
                + String.join(",", nodes.stream().map(node -> "127.0.0.1:" + node.port()).toList());
    }

    /** All nodes, dead or alive. */
    public List<RedisProcess> nodes() {
        return nodes;
    }

    /** Commands to the cluster, each to the master of its key. */
    public RedisCommands<String, String> commands() {
        return session.commands();
    }

    /** Sends commands to one node. */
    public static <T> T ask(
            RedisProcess node, Function<RedisCommands<String, String>, T> question) {
        var address = RedisURI.create(node.uri());
        address.setTimeout(Duration.ofMinutes(1));
        try (var connection = CLIENT.connect(address)) {
            return question.apply(connection.sync());
        }
    }

    /** The masters that are alive and have slots, as each sees itself. */
    public List<RedisProcess> masters() {
        return nodes.stream().filter(RedisCluster::isMaster).toList();
    }

    /** Whether a node is alive, a master, and has slots, as it sees itself. */
    public static boolean isMaster(RedisProcess node) {
        if (!node.accepts()) {
            return false;
        }
        var own = own(node);
        return own.isMaster() && !own.slots().isEmpty();
    }

    /** The slot of a partition. */
    public static int slot(int p) {
        return SlotHash.getSlot("{" + p + "}");
    }

    /** The living master that serves a slot; of two that claim it, the one with the newer claim. */
    public RedisProcess master(int slot) {
        return Wait.until(
                        "a master serves slot " + slot,
                        () -> masters().stream().filter(node -> own(node).has(slot)).findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** A replica of a node; waits until the node counts one as alive. */
    public RedisProcess replica(RedisProcess master) {
        return Wait.until(
                        "a replica lives",
                        () -> replicas(master).stream().findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private List<RedisProcess> replicas(RedisProcess master) {
        var all = lines(master);
        String id = all.stream().filter(Line::isMyself).findFirst().orElseThrow().id();
        return nodes.stream()
                .filter(
                        node ->
                                all.stream()
                                        .anyMatch(
                                                line ->
                                                        line.port() == node.port()
                                                                && line.master().equals(id)
                                                                && !line.flags().contains("fail")))
                .filter(RedisProcess::accepts)
                .toList();
    }

    /** Begins to move a slot, and moves no key yet. */
    public void beginMove(int slot, RedisProcess from, RedisProcess to) {
        String source = id(from);
        String target = id(to);
        ask(to, redis -> redis.clusterSetSlotImporting(slot, source));
        ask(from, redis -> redis.clusterSetSlotMigrating(slot, target));
    }

    /** Moves some keys of a slot; returns whether there may be more. */
    public static boolean moveKeys(int slot, RedisProcess from, RedisProcess to, int most) {
        var keys = ask(from, redis -> redis.clusterGetKeysInSlot(slot, most));
        if (!keys.isEmpty()) {
            moveKeys(keys, from, to);
        }
        return keys.size() == most;
    }

    /** Moves some keys of one slot; those that do not exist any more are left out. */
    public static void moveKeys(List<String> keys, RedisProcess from, RedisProcess to) {
        ask(
                from,
                redis ->
                        redis.migrate(
                                "127.0.0.1",
                                to.port(),
                                0,
                                MIGRATE_MILLIS,
                                MigrateArgs.Builder.<String>keys(keys).replace()));
    }

    /** Ends the move of a slot, whose keys are all moved. */
    public void endMove(int slot, RedisProcess from, RedisProcess to) {
        String target = id(to);
        ask(to, redis -> redis.clusterSetSlotNode(slot, target));
        ask(from, redis -> redis.clusterSetSlotNode(slot, target));
        for (RedisProcess other : masters()) {
            if (other != from && other != to) {
                ask(other, redis -> redis.clusterSetSlotNode(slot, target));
            }
        }
    }

    /** Gives the move of a slot up; the keys that are moved stay where they are. */
    public void giveUpMove(int slot, RedisProcess from, RedisProcess to) {
        ask(from, redis -> redis.clusterSetSlotStable(slot));
        ask(to, redis -> redis.clusterSetSlotStable(slot));
    }

    /** Moves keys back that a move left at a node before it was given up; it may have none. */
    public void returnKeys(int slot, RedisProcess from, RedisProcess to) {
        String owner = id(from);
        ask(to, redis -> redis.clusterSetSlotImporting(slot, owner));
        while (moveKeys(slot, to, from, MOST_KEYS)) {
            // the next ones
        }
        ask(to, redis -> redis.clusterSetSlotStable(slot));
    }

    /** Moves a slot with all its keys. */
    public void move(int slot, RedisProcess from, RedisProcess to) {
        beginMove(slot, from, to);
        while (moveKeys(slot, from, to, MOST_KEYS)) {
            // the next ones
        }
        endMove(slot, from, to);
    }

    /** Restarts a killed node without its data; it keeps its place in the cluster. */
    public void restartEmpty(RedisProcess node) {
        try (Stream<Path> files = Files.list(node.directory())) {
            for (Path file : files.filter(file -> !file.endsWith("nodes.conf")).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        node.restart();
    }

    /** Whether all slots are served, and each node is a master or in sync with one. */
    boolean isWell() {
        int masters = masters().size();
        return nodes.stream().allMatch(node -> isWell(node, nodes.size() - masters));
    }

    /** Waits until all slots are served, and each node is a master or in sync with one. */
    public void awaitWell(Duration bound) {
        Wait.until("the cluster is well", bound, this::isWell);
    }

    @Override
    public void close() {
        session.close();
        nodes.forEach(RedisProcess::close);
    }
}
