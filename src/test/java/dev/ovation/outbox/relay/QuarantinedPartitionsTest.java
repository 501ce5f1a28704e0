package dev.ovation.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class QuarantinedPartitionsTest {

    private final QuarantinedPartitions suspects = new QuarantinedPartitions();

    @Test
    void oneThatWasNotTriedAloneComesBeforeOneThatFailedAlone() throws Exception {
        suspects.add(List.of(3, 7));
        suspects.failed(3, true, Duration.ZERO);

        assertThat(suspects.next(0)).hasValue(7);
        assertThat(suspects.guilty()).containsExactly(3);
    }

    @Test
    void aFailedPartitionIsNotRetriedBeforeItsPauseEnds() throws Exception {
        suspects.add(List.of(3));
        suspects.failed(3, true, Duration.ofHours(1));

        assertThat(suspects.next(0)).isEmpty();
        assertThat(suspects.isGuilty(3)).isTrue();
    }

    @Test
    void aNewSuspicionTakesNoVerdictBack() throws Exception {
        suspects.add(List.of(3));
        suspects.failed(3, true, Duration.ZERO);
        suspects.add(List.of(3));

        assertThat(suspects.isGuilty(3)).isTrue();
    }

    @Test
    void aPartitionThatSucceedsAloneLeavesTheQuarantine() throws Exception {
        suspects.add(List.of(3));
        suspects.acquit(3);

        assertThat(suspects.contains(3)).isFalse();
        assertThat(suspects.next(0)).isEmpty();
    }
}
