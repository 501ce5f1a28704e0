package dev.ovation.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.store.shard.Shards;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

class DuePartitionsTest {

    private final DuePartitions due = new DuePartitions(Duration.ZERO, Shards.undivided());

    @Test
    void allThatAreDueAreTakenTogetherAndEachOnce() throws Exception {
        due.add(5);
        due.add(2);
        due.add(5);
        assertThat(due.take(0)).containsExactly(2, 5);
        assertThat(due.take(0)).isEmpty();
    }

    @Test
    void aTakenPartitionIsTakenAgainOnlyAfterItsRelease() throws Exception {
        due.add(1);
        List<Integer> taken = due.take(0);
        due.add(1);
        due.add(2);
        assertThat(due.take(0)).containsExactly(2);
        due.release(taken);
        assertThat(due.take(0)).containsExactly(1);
    }

    @Test
    void noSecondTakeSucceedsWithinTheExclusiveWindow() throws Exception {
        var patient = new DuePartitions(Duration.ofHours(1), Shards.undivided());
        patient.add(1);
        List<Integer> taken = patient.take(0);
        patient.add(2);
        assertThat(patient.take(1)).isEmpty();

        patient.add(3);
        patient.release(taken);
        assertThat(patient.take(0)).containsExactly(2, 3);
    }

    @Test
    void aSecondTakeSucceedsAfterTheExclusiveWindow() throws Exception {
        var quick = new DuePartitions(Duration.ofMillis(1), Shards.undivided());
        quick.add(1);
        assertThat(quick.take(0)).containsExactly(1);
        quick.add(2);
        assertThat(quick.take(60_000)).containsExactly(2);
    }

    @Test
    void aPartitionIsTakenUntilItsRelease() throws Exception {
        due.add(1);
        assertThat(due.isTaken(1)).isFalse();
        List<Integer> taken = due.take(0);
        assertThat(due.isTaken(1)).isTrue();
        assertThat(due.isTaken(2)).isFalse();
        due.release(taken);
        assertThat(due.isTaken(1)).isFalse();
    }

    @Test
    void itIsEmptyOnlyWhenNothingIsDueAndNothingTaken() throws Exception {
        assertThat(due.isEmpty()).isTrue();
        due.add(1);
        assertThat(due.isEmpty()).isFalse();
        List<Integer> taken = due.take(0);
        assertThat(due.isEmpty()).isFalse();
        due.release(taken);
        assertThat(due.isEmpty()).isTrue();
    }

    @Test
    void aDuePartitionWakesAWaitingThread() throws Exception {
        var taken = waiting();
        due.add(3);
        assertThat(taken.get(30, TimeUnit.SECONDS)).containsExactly(3);
    }

    @Test
    void aReleaseWakesAWaitingThread() throws Exception {
        due.add(3);
        List<Integer> first = due.take(0);
        due.add(3);
        var taken = waiting();
        due.release(first);
        assertThat(taken.get(30, TimeUnit.SECONDS)).containsExactly(3);
    }

    private CompletableFuture<List<Integer>> waiting() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return due.take(60_000);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                waiter -> Thread.ofVirtual().start(waiter));
    }

    @Test
    void theShardsOfADividedPostgresAreTakenInTurns() throws Exception {
        var divided = new DuePartitions(Duration.ofHours(1), Shards.of(7, 8, 7, 8));
        for (int p = 0; p < 4; p++) {
            divided.add(p);
        }
        assertThat(divided.take(0)).containsExactly(0, 2);
        assertThat(divided.take(0)).containsExactly(1, 3);

        divided.release(List.of(1, 3));
        divided.release(List.of(0, 2));
        for (int p = 0; p < 4; p++) {
            divided.add(p);
        }
        assertThat(divided.take(0)).containsExactly(0, 2);
    }

    @Test
    void theExclusiveWindowIsThatOfAShard() throws Exception {
        var divided = new DuePartitions(Duration.ofHours(1), Shards.of(7, 8, 7));
        divided.add(0);
        assertThat(divided.take(0)).containsExactly(0);
        divided.add(2);
        assertThat(divided.take(1)).isEmpty();
        divided.add(1);
        assertThat(divided.take(0)).containsExactly(1);
    }
}
