package dev.ovation.bench;

import dev.ovation.testing.RedisCluster;
import dev.ovation.testing.RedisProcess;

import java.util.stream.Collectors;

/**
 * The masters of a Redis Cluster for a benchmark, as many as the argument says. Prints their
 * addresses and their process ids, and stops them at SIGTERM.
 */
final class Nodes {

    private Nodes() {}

    public static void main(String... arguments) throws InterruptedException {
        var nodes = RedisCluster.start(Integer.parseInt(arguments[0]), 0).nodes();
        IO.println(
                "pids "
                        + nodes.stream()
                                .map(RedisProcess::pid)
                                .map(String::valueOf)
                                .collect(Collectors.joining(" ")));
        IO.println(
                "nodes "
                        + nodes.stream()
                                .map(node -> "127.0.0.1:" + node.port())
                                .collect(Collectors.joining(",")));
        Thread.currentThread().join();
    }
}
