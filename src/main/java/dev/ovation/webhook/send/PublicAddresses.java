package dev.ovation.webhook.send;

import java.net.InetAddress;
import java.util.List;

/**
 * Addresses to which webhooks may connect: global unicast only. An address in which another one may
 * be embedded (6to4, NAT64, Teredo) is none.
 */
final class PublicAddresses {

    /** Special-purpose networks of IPv4, by the registry of IANA. */
    private static final List<Network> NOT_GLOBAL =
            List.of(
                    new Network(0x00_00_00_00, 8),
                    new Network(0x0a_00_00_00, 8), // 10.0.0.0
                    new Network(0x64_40_00_00, 10), // 100.64.0.0
                    new Network(0x7f_00_00_00, 8), // 127.0.0.0
                    new Network(0xa9_fe_00_00, 16), // 169.254.0.0
                    new Network(0xac_10_00_00, 12), // 172.16.0.0
                    new Network(0xc0_00_00_00, 24), // 192.0.0.0
                    new Network(0xc0_00_02_00, 24), // 192.0.2.0
                    new Network(0xc0_58_63_00, 24), // 192.88.99.0
                    new Network(0xc0_a8_00_00, 16), // 192.168.0.0
                    new Network(0xc6_12_00_00, 15), // 198.18.0.0
                    new Network(0xc6_33_64_00, 24), // 198.51.100.0
                    new Network(0xcb_00_71_00, 24), // 203.0.113.0
                    new Network(0xe0_00_00_00, 3)); // multicast, reserved, broadcast

    private PublicAddresses() {}

    private record Network(int address, int bits) {
        boolean contains(int other) {
            return (address ^ other) >>> (Integer.SIZE - bits) == 0;
        }
    }

    static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == Integer.BYTES) {
            int number = number(bytes);
            return NOT_GLOBAL.stream().noneMatch(network -> network.contains(number));
        }
        int first = number(bytes);
        return first >>> 29 == 1 // 2000::/3
                && first >>> 9 != 0x2001_0000 >>> 9 // 2001::/23, with Teredo
                && first != 0x2001_0db8 // documentation
                && first >>> 16 != 0x2002 // 6to4
                && first >>> 12 != 0x3fff_0000 >>> 12; // documentation
    }

    /** Returns the first four bytes. */
    private static int number(byte[] bytes) {
        return ((bytes[0] & 0xff) << 24)
                | ((bytes[1] & 0xff) << 16)
                | ((bytes[2] & 0xff) << 8)
                | (bytes[3] & 0xff);
    }
}
