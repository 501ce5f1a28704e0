package dev.ovation.hot.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.BitSet;

/** Answers to CLUSTER NODES. */
class ClusterViewTest {

    private static final NodeAddress ASKED = new NodeAddress("redis.invalid", 7001);

    @Test
    void mastersWithSlotsAreNamed() {
        var view =
                read(
                        "aa 10.0.0.1:7001@17001 myself,master - 0 0 1 connected 0-99 200",
                        "bb 10.0.0.2:7002@17002 master - 0 1690 2 connected 100-199",
                        "cc 10.0.0.3:7003@17003 master,fail? - 1 1690 3 disconnected 201",
                        "dd 10.0.0.4:7004@17004 master - 0 1690 4 connected",
                        "ee 10.0.0.5:7005@17005 slave aa 0 1690 1 connected",
                        "ff :0@0 master,noaddr - 1 1690 5 disconnected 300",
                        "gg 10.0.0.6:7006@17006 handshake - 0 0 0 disconnected");

        assertThat(view.masters())
                .containsExactly(
                        new NodeAddress("10.0.0.1", 7001),
                        new NodeAddress("10.0.0.2", 7002),
                        new NodeAddress("10.0.0.3", 7003));
    }

    @Test
    void slotsAreThoseOfTheAnsweringNode() {
        var view =
                read(
                        "bb 10.0.0.2:7002@17002 master - 0 1690 2 connected 100-199",
                        "aa 10.0.0.1:7001@17001 myself,master - 0 0 41 connected 0-2 5 7-8");

        assertThat(view.master()).isTrue();
        assertThat(view.configEpoch()).isEqualTo(41);
        assertThat(view.slots()).isEqualTo(slots(0, 1, 2, 5, 7, 8));
        assertThat(view.leaving()).isEqualTo(slots());
    }

    @Test
    void aSlotThatLeavesIsServedAndLeaving() {
        var view =
                read(
                        "aa 10.0.0.1:7001@17001 myself,master - 0 0 1 connected 0-9"
                                + " [3->-bbbb] [77-<-cccc]");

        assertThat(view.slots()).isEqualTo(slots(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
        assertThat(view.leaving()).isEqualTo(slots(3));
    }

    @Test
    void aReplicaServesNothing() {
        var view =
                read(
                        "aa 10.0.0.1:7001@17001 master - 0 1690 1 connected 0-16383",
                        "bb 10.0.0.2:7002@17002 myself,slave aa 0 1690 1 connected");

        assertThat(view.master()).isFalse();
        assertThat(view.masters()).containsExactly(new NodeAddress("10.0.0.1", 7001));
    }

    @Test
    void aNodeThatDoesNotKnowItsAddressHasTheOneAtWhichItWasAsked() {
        var view = read("aa :7001@17001 myself,master - 0 0 1 connected 0-16383");

        assertThat(view.masters()).containsExactly(new NodeAddress("redis.invalid", 7001));
    }

    @Test
    void anAnnouncedNameIsPreferredAndOtherPropertiesAreNoNames() {
        var view =
                read(
                        "aa 10.0.0.1:7001@17001,one.invalid,shard-id=12 myself,master - 0 0 1"
                                + " connected 0",
                        "bb 10.0.0.2:7002@17002,,shard-id=13 master - 0 0 2 connected 1",
                        "cc 10.0.0.3:7003@17003,tls-port=0,shard-id=14 master - 0 0 3 connected 2");

        assertThat(view.masters())
                .containsExactly(
                        new NodeAddress("one.invalid", 7001),
                        new NodeAddress("10.0.0.2", 7002),
                        new NodeAddress("10.0.0.3", 7003));
    }

    @Test
    void anAddressOfVersionSixHasColons() {
        var view = read("aa fd00::1:7001@17001 myself,master - 0 0 1 connected 0");

        assertThat(view.masters()).containsExactly(new NodeAddress("fd00::1", 7001));
    }

    @Test
    void anotherTextIsRefused() {
        assertThatThrownBy(() -> read("aa 10.0.0.1:7001@17001 master - 0 0 1 connected 0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not name itself");
        assertThatThrownBy(() -> read("no cluster"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no cluster");
    }

    private static ClusterView read(String... lines) {
        return ClusterView.read(String.join("\n", lines) + "\n", ASKED);
    }

    private static BitSet slots(int... slots) {
        var set = new BitSet();
        for (int slot : slots) {
            set.set(slot);
        }
        return set;
    }
}
