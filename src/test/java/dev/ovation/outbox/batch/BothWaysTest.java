package dev.ovation.outbox.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.outbox.batch.RelayTransaction.PartitionResult;
import dev.ovation.outbox.batch.RelayTransactionFixture.Way;
import dev.ovation.store.RelayFunction.CallResult;
import dev.ovation.testing.Beside;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Random batches, some with wrong expectations, give the same results and the same tables by one
 * call as by statements. The seed is {@code -Dseed}.
 */
@Beside
class BothWaysTest {

    private static final int ROUNDS = 150;

    private final RelayTransactionFixture oneCall =
            new RelayTransactionFixture(Way.ONE_CALL, RelayTransactionFixture.pool());
    private final RelayTransactionFixture statements =
            new RelayTransactionFixture(Way.STATEMENTS, RelayTransactionFixture.pool());

    @Test
    void theTablesAndTheResultsAreTheSame() {
        long seed = Long.getLong("seed", 17);
        var batches = new RandomBatches(seed);
        oneCall.log(0, 1, 3);
        statements.log(0, 1, 3);
        for (int round = 0; round < ROUNDS; round++) {
            batches.know(statements.rows(RandomBatches.HEADS), statements.reactions());
            String interference = batches.interference();
            if (!interference.isEmpty()) {
                oneCall.jdbc.execute(interference);
                statements.jdbc.execute(interference);
            }
            var slices = batches.next(statements.rows(RandomBatches.WATERMARKS));
            String what = "seed " + seed + ", round " + round + ", " + slices;

            assertThat(relay(oneCall, slices)).as(what).isEqualTo(relay(statements, slices));
            assertThat(oneCall.tables()).as(what).isEqualTo(statements.tables());
        }
        assertThat(oneCall.calls)
                .as("each expectation was right and wrong")
                .contains(
                        CallResult.APPLIED,
                        CallResult.PARTITION,
                        CallResult.LOG,
                        CallResult.BASE,
                        CallResult.REACTION,
                        CallResult.KEY,
                        CallResult.ROW,
                        CallResult.DATA,
                        CallResult.UNSUITABLE);
        assertThat(statements.rejections())
                .extracting(row -> row.split(" ")[4])
                .contains("conflict", "duplicate", "malformed", "poison");
        assertThat(statements.rows("select p, kind from change_log"))
                .contains("0 first", "1 changed", "2 changed");
        assertThat(oneCall.calls)
                .filteredOn(CallResult.APPLIED::equals)
                .hasSizeGreaterThan(ROUNDS / 4);
    }

    /** Applies slices as a relay cycle does: event by event if one of them cannot be stored. */
    private static List<PartitionResult> relay(
            RelayTransactionFixture postgres, List<OutboxSlice> slices) {
        try {
            return postgres.apply(slices, Map.of());
        } catch (DataIntegrityViolationException | IllegalArgumentException e) {
            var results = new ArrayList<PartitionResult>();
            for (OutboxSlice slice : slices) {
                for (var entry : slice.entries()) {
                    if (entry.seq() > slice.known()) {
                        results.addAll(alone(postgres, slice.until(entry.seq()), entry.op()));
                    }
                }
            }
            return results;
        }
    }

    private static List<PartitionResult> alone(
            RelayTransactionFixture postgres, OutboxSlice slice, String op) {
        try {
            return postgres.apply(List.of(slice), Map.of());
        } catch (DataIntegrityViolationException | IllegalArgumentException e) {
            return postgres.apply(List.of(slice), Map.of(op, "poison"));
        }
    }
}
