package dev.ovation.hot.cluster;

import dev.ovation.hot.link.RedisLink;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Function;

/** A node to which this instance is linked, with its last answer. */
final class ClusterNode {

    private final NodeAddress address;
    private final RedisLink link;
    private volatile @Nullable NodeClient client;
    private volatile @Nullable ClusterView view;
    private volatile long seenAt;

    /**
     * Creates a node.
     *
     * @param changed runs after each change of the link or of the node's answer
     */
    ClusterNode(
            NodeAddress address,
            Function<NodeAddress, NodeClient> clients,
            Duration timeout,
            Runnable changed) {
        this.address = address;
        this.link =
                new RedisLink(
                        address.toString(),
                        () -> {
                            var opened = clients.apply(address);
                            client = opened;
                            return opened.client();
                        },
                        timeout,
                        text -> {
                            var seen = ClusterView.read(text, address);
                            seenAt = System.nanoTime();
                            if (!seen.equals(view)) {
                                view = seen;
                                changed.run();
                            }
                        });
        link.onChange(changed);
    }

    NodeAddress address() {
        return address;
    }

    RedisLink link() {
        return link;
    }

    /** Returns the last answer of the node; null before the first one. */
    @Nullable ClusterView view() {
        return view;
    }

    /** Returns the last answer, unless it is older than {@code most}. */
    @Nullable ClusterView viewWithin(Duration most) {
        return System.nanoTime() - seenAt <= most.toNanos() ? view : null;
    }

    /** Ends the link and its client; blocks for some time-outs when the node hangs. */
    void close() {
        link.stop();
        var opened = client;
        if (opened != null) {
            opened.close().run();
        }
    }
}
