package dev.ovation.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.store.RejectedEvents.Range;
import dev.ovation.store.RejectedEvents.Rejected;
import dev.ovation.store.shard.Shards;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

class RejectedEventsTest {

    private final StoreFixture store = new StoreFixture();
    private final RejectedEvents events = new RejectedEvents(store.jdbc, Shards.undivided());

    @BeforeEach
    void someWereRejected() {
        events.insert(
                List.of(
                        new Rejected(0, 1, 5, "op5", "conflict"),
                        new Rejected(0, 1, 7, "op7", "conflict"),
                        new Rejected(0, 2, 6, "op6", "poison"),
                        new Rejected(3, 1, 6, "op6'", "duplicate"),
                        new Rejected(4, 1, 6, "op6''", "duplicate")));
    }

    @Test
    void areFoundByPartitionAndEpochAboveASeq() {
        assertThat(events.within(List.of(new Range(0, 1, 5), new Range(3, 1, 0))))
                .isEqualTo(Map.of(0, Set.of(7L), 3, Set.of(6L)));
        assertThat(events.within(List.of(new Range(0, 1, 4)))).isEqualTo(Map.of(0, Set.of(5L, 7L)));
        assertThat(events.within(List.of(new Range(0, 1, 7)))).isEmpty();
        assertThat(events.within(List.of(new Range(0, 3, 0)))).isEmpty();
        assertThat(events.within(List.of())).isEmpty();
    }

    @Test
    void rejectedEventsOfOtherEpochsAreNotFound() {
        assertThat(events.within(List.of(new Range(0, 2, 0)))).isEqualTo(Map.of(0, Set.of(6L)));
    }

    @Test
    void areForgottenWhenOld() {
        store.jdbc.update(
                "update rejected_event set rejected_at = now() - interval '2 hours' where p = 0");

        assertThat(events.deleteOlderThan(Duration.ofHours(3), 100)).isZero();
        assertThat(events.deleteOlderThan(Duration.ofHours(1), 100)).isEqualTo(3);
        assertThat(store.rows("select p from rejected_event order by p")).containsExactly("3", "4");
    }
}
