package dev.ovation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class SuspectsTest {

    private final Suspects suspects = new Suspects();

    @Test
    void oneThatWasNotTriedAloneComesBeforeOneThatFailedAlone() throws Exception {
        suspects.add(List.of(3, 7));
        suspects.failed(3, true, Duration.ZERO);

        assertThat(suspects.next(0)).hasValue(7);
        assertThat(suspects.guilty()).containsExactly(3);
    }

    @Test
    void whoeverFailedRestsBeforeTheNextTry() throws Exception {
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
    void oneThatSucceedsAloneIsNoSuspectAnyMore() throws Exception {
        suspects.add(List.of(3));
        suspects.acquit(3);

        assertThat(suspects.contains(3)).isFalse();
        assertThat(suspects.next(0)).isEmpty();
    }
}
