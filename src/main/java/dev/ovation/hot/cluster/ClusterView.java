package dev.ovation.hot.cluster;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The nodes of a Redis Cluster as one of them knows them, from its answer to {@code CLUSTER NODES}.
 * Only the part about its own slots is current: a node learns of other slots from their nodes,
 * later.
 *
 * @param masters addresses of all masters that have slots
 * @param master whether the answering node is a master
 * @param configEpoch version of its slots; of two nodes that claim a slot, the one with the greater
 *     version is right
 * @param slots the slots that it serves
 * @param leaving those of them whose keys are being moved to another node
 */
public record ClusterView(
        List<NodeAddress> masters, boolean master, long configEpoch, BitSet slots, BitSet leaving) {

    /** Number of slots of a cluster. */
    public static final int SLOTS = 16_384;

    private static final int ADDRESS = 1;
    private static final int FLAGS = 2;
    private static final int CONFIG_EPOCH = 6;
    private static final int FIRST_SLOT = 8;

    /**
     * Reads an answer.
     *
     * @param asked address at which the node was asked; a node may not know its own one
     * @throws IllegalArgumentException when the text has another form
     */
    public static ClusterView read(String text, NodeAddress asked) {
        var masters = new ArrayList<NodeAddress>();
        ClusterView own = null;
        for (String line : text.lines().filter(line -> !line.isBlank()).toList()) {
            String[] fields = line.split(" ");
            if (fields.length < FIRST_SLOT) {
                throw new IllegalArgumentException("not a node of a cluster: " + line);
            }
            List<String> flags = List.of(fields[FLAGS].split(","));
            boolean master = flags.contains("master");
            boolean myself = flags.contains("myself");
            boolean reachable = !flags.contains("noaddr") && !flags.contains("handshake");
            var slots = slots(fields);
            if (master && reachable && !slots.isEmpty()) {
                masters.add(address(fields[ADDRESS], asked));
            }
            if (myself) {
                long epoch = Long.parseLong(fields[CONFIG_EPOCH]);
                own = new ClusterView(masters, master, epoch, slots, leaving(fields));
            }
        }
        if (own == null) {
            throw new IllegalArgumentException("the node does not name itself: " + text);
        }
        return own;
    }

    /** Reads {@code host:port@busport,name}; a node that announces a name is reached by it. */
    private static NodeAddress address(String text, NodeAddress asked) {
        String[] parts = text.split(",", 3);
        String endpoint = parts[0].replaceFirst("@.*", "");
        int colon = endpoint.lastIndexOf(':');
        String name = parts.length > 1 && !parts[1].contains("=") ? parts[1] : "";
        String host = name.isEmpty() || name.equals("?") ? endpoint.substring(0, colon) : name;
        int port = Integer.parseInt(endpoint.substring(colon + 1));
        return new NodeAddress(host.isEmpty() ? asked.host() : host, port);
    }

    private static BitSet slots(String[] fields) {
        var slots = new BitSet(SLOTS);
        for (int i = FIRST_SLOT; i < fields.length; i++) {
            if (!fields[i].startsWith("[")) {
                String[] range = fields[i].split("-", 2);
                slots.set(
                        Integer.parseInt(range[0]), Integer.parseInt(range[range.length - 1]) + 1);
            }
        }
        return slots;
    }

    /** Reads the slots in {@code [slot->-node]}; those in {@code [slot-<-node]} are others'. */
    private static BitSet leaving(String[] fields) {
        var leaving = new BitSet(SLOTS);
        for (int i = FIRST_SLOT; i < fields.length; i++) {
            int arrow = fields[i].indexOf("->-");
            if (arrow > 0) {
                leaving.set(Integer.parseInt(fields[i].substring(1, arrow)));
            }
        }
        return leaving;
    }
}
