package dev.ovation.hot.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.cluster.Holders.Claim;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The node that counts as the holder of a partition. */
class HoldersTest {

    private static final int P = 3;

    private final Holders<String> none = Holders.none(8);

    @Test
    void thePartitionIsAtTheNodeThatServesItsSlot() {
        var holders = none.by(List.of(claim("a", true, 1, 0), claim("b", true, 1, P)));

        assertThat(holders.of(0)).isEqualTo("a");
        assertThat(holders.of(P)).isEqualTo("b");
        assertThat(holders.of(1)).isNull();
    }

    @Test
    void ofTwoNodesTheOneWithTheNewerClaimIsRight() {
        assertThat(none.by(List.of(claim("old", true, 1, P), claim("new", true, 2, P))).of(P))
                .isEqualTo("new");
        assertThat(none.by(List.of(claim("new", true, 2, P), claim("old", true, 1, P))).of(P))
                .isEqualTo("new");
    }

    @Test
    void aNodeThatAnswersIsPreferred() {
        assertThat(none.by(List.of(claim("up", true, 1, P), claim("down", false, 2, P))).of(P))
                .isEqualTo("up");
        assertThat(none.by(List.of(claim("down", false, 2, P), claim("up", true, 1, P))).of(P))
                .isEqualTo("up");
    }

    @Test
    void aReplicaHoldsNothing() {
        var replica = new ClusterView(List.of(), false, 9, slots(P), new BitSet());
        var holders =
                none.by(List.of(new Claim<>("replica", true, replica), claim("a", false, 1, P)));

        assertThat(holders.of(P)).isEqualTo("a");
    }

    @Test
    void whatNoNodeClaimsStaysWhereItWas() {
        var before = none.by(List.of(claim("a", true, 1, P), claim("b", true, 1)));

        assertThat(before.by(List.of(claim("a", false, 1), claim("b", true, 1))).of(P))
                .isEqualTo("a");
        assertThat(before.by(List.of(claim("b", true, 1))).of(P)).isNull();
    }

    @Test
    void aPartitionMovesWhileItsHolderSaysSo() {
        var leaving = new ClusterView(List.of(), true, 1, slots(P, 0), slots(P));
        var moving = none.by(List.of(new Claim<>("a", true, leaving)));
        assertThat(moving.isMoving(P)).isTrue();
        assertThat(moving.isMoving(0)).isFalse();

        var moved = moving.by(List.of(new Claim<>("a", true, leaving), claim("b", true, 2, P)));
        assertThat(moved.of(P)).isEqualTo("b");
        assertThat(moved.isMoving(P)).isFalse();
    }

    @Test
    void noNodeOfThreeHoldsMoreThanFiveQuartersOfItsShareOfSixteenPartitions() {
        int[] perNode = new int[3];
        for (int p = 0; p < 16; p++) {
            perNode[Holders.slot(p) * 3 / ClusterView.SLOTS]++;
        }

        assertThat(Arrays.stream(perNode).max().orElseThrow() * 3 / 16.0).isLessThanOrEqualTo(1.25);
    }

    private static Claim<String> claim(String node, boolean up, long configEpoch, int... p) {
        return new Claim<>(
                node, up, new ClusterView(List.of(), true, configEpoch, slots(p), new BitSet()));
    }

    private static BitSet slots(int... partitions) {
        var slots = new BitSet();
        for (int p : partitions) {
            slots.set(Holders.slot(p));
        }
        return slots;
    }
}
