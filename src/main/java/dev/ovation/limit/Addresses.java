package dev.ovation.limit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/** Groups client addresses by holder. */
final class Addresses {

    /** Bytes of the network of an IPv6 address, all of whose addresses one host may use. */
    private static final int NETWORK = 8;

    private Addresses() {}

    /**
     * Returns what all addresses of one holder have in common.
     *
     * @param address the literal address of a client
     * @return an IPv4 address as it is, of an IPv6 address the first 64 bits
     */
    static String holder(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            InetAddress parsed = InetAddress.ofLiteral(address);
            return parsed instanceof Inet6Address
                    ? HexFormat.of().formatHex(parsed.getAddress(), 0, NETWORK)
                    : parsed.getHostAddress();
        } catch (IllegalArgumentException _) {
            return address;
        }
    }
}
