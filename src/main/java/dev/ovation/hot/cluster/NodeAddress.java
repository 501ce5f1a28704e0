package dev.ovation.hot.cluster;

/**
 * The address of a node of a Redis Cluster.
 *
 * @param host its name or its IP address
 */
public record NodeAddress(String host, int port) implements Comparable<NodeAddress> {

    @Override
    public int compareTo(NodeAddress other) {
        int byHost = host.compareTo(other.host);
        return byHost == 0 ? Integer.compare(port, other.port) : byHost;
    }

    @Override
    public String toString() {
        return host + ':' + port;
    }
}
