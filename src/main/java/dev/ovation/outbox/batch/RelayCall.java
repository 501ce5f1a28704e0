package dev.ovation.outbox.batch;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;
import dev.ovation.outbox.batch.EventValidation.Effects;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck;
import dev.ovation.outbox.batch.OutboxSlice.OutboxEntry;
import dev.ovation.outbox.batch.RelayTransaction.PartitionResult;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.IdempotencyTable.IdempotencyEntry;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable.Advance;
import dev.ovation.store.RelayFunction;
import dev.ovation.store.RelayFunction.CallResult;
import dev.ovation.store.RelayFunction.ExpectedWatermark;
import dev.ovation.store.RelayFunction.RelayChange;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A relay transaction in one round trip, commit included. It judges the events before it has locked
 * or read a row: it expects each watermark where this instance knows it, and each entity at the
 * base of its first event. The call compares both under the locks and changes nothing when one
 * differs. {@link RelayTransaction} then processes the same slices.
 *
 * <p>It takes additions, removals, puts and keyed events, of existing and of new entities. It takes
 * no event that is to be rejected (malformed, in conflict with another one of the slices, or
 * poison), and no slice whose continuity check fails, so its results contain no rejection.
 */
public final class RelayCall {

    private final RelayFunction function;
    private final BooleanSupplier logging;

    /**
     * Creates a call of this function.
     *
     * @param logging whether changes are probably logged; otherwise the call has no rows for the
     *     log, and changes nothing if it needs some
     */
    public RelayCall(RelayFunction function, BooleanSupplier logging) {
        this.function = function;
        this.logging = logging;
    }

    /**
     * Result of a call.
     *
     * @param result the reason why nothing is changed, or {@link CallResult#APPLIED}
     * @param partitions the committed results, as those of a {@link RelayTransaction}; empty if
     *     nothing is changed
     */
    public record CallOutcome(CallResult result, List<PartitionResult> partitions) {
        static CallOutcome unchanged(CallResult reason) {
            return new CallOutcome(reason, List.of());
        }
    }

    /**
     * Applies the events of all slices and commits, or changes nothing.
     *
     * @throws RuntimeException as {@link RelayFunction#call}
     */
    public CallOutcome apply(List<OutboxSlice> slices) {
        var parts = slices.stream().map(RelayCall::expected).toList();
        if (!parts.stream().allMatch(RelayCall::isSuitable)) {
            return CallOutcome.unchanged(CallResult.UNSUITABLE);
        }
        List<Event> events = parts.stream().flatMap(part -> part.fresh.stream()).toList();
        var validation = EventValidation.of(events, bases(events), Map.of());
        var effects = validation.effects();
        if (events.isEmpty() || !validation.rejected().isEmpty() || !isCounted(effects)) {
            return CallOutcome.unchanged(CallResult.UNSUITABLE);
        }
        var partitions = new HashMap<EntityKey, Integer>();
        parts.forEach(
                part -> part.fresh.forEach(event -> partitions.put(event.key(), part.row.p())));
        var change =
                new RelayChange(
                        parts.stream().map(RelayCall::watermark).toList(),
                        validation.steps(partitions::get),
                        effects.removed(),
                        effects.added(),
                        effects.forms(),
                        effects.touched(),
                        answers(parts),
                        logging.getAsBoolean()
                                ? LoggedChanges.of(validation.accepted(), partitions::get)
                                : null);
        CallResult result = function.call(change);
        return result == CallResult.APPLIED
                ? new CallOutcome(
                        result,
                        parts.stream().map(part -> part.result(Map.of(), Map.of())).toList())
                : CallOutcome.unchanged(result);
    }

    /** Returns the partition as it is if its row is where this instance knows it. */
    private static LockedPartition expected(OutboxSlice slice) {
        long known = slice.known();
        String op =
                slice.entries().stream()
                        .filter(entry -> known > 0 && entry.seq() == known)
                        .findFirst()
                        .map(OutboxEntry::op)
                        .orElse("");
        var fence = slice.fence();
        var row = new PartitionRow(slice.p(), fence.epoch(), fence.incarnation(), 0, known, op);
        return LockedPartition.of(row, Map.of(slice.p(), slice));
    }

    private static boolean isSuitable(LockedPartition part) {
        return part.finding instanceof ContinuityCheck.Continues && part.unreadable.isEmpty();
    }

    /** Returns the base of the first event of each entity. */
    private static Map<EntityKey, EntityHead> bases(List<Event> events) {
        var bases = new HashMap<EntityKey, EntityHead>();
        for (Event event : events) {
            bases.putIfAbsent(event.key(), new EntityHead(event.baseVersion(), event.baseOp()));
        }
        return bases;
    }

    /** Returns whether the events name the counter of each row that they change. */
    private static boolean isCounted(Effects effects) {
        return Stream.of(effects.removed().keySet(), effects.added().keySet())
                .flatMap(Set::stream)
                .map(RelayFunction::counter)
                .allMatch(effects.touched()::containsKey);
    }

    private static ExpectedWatermark watermark(LockedPartition part) {
        var row = part.row;
        var last = part.last;
        long to = last == null ? row.appliedSeq() : last.seq();
        String op = last == null ? row.appliedOp() : last.op();
        return new ExpectedWatermark(
                new Advance(row.p(), row.epoch(), row.appliedSeq(), to, op), row.appliedOp());
    }

    private static List<IdempotencyEntry> answers(List<LockedPartition> parts) {
        var answers = new ArrayList<IdempotencyEntry>();
        for (LockedPartition part : parts) {
            for (Event event : part.fresh) {
                var keyed = event.keyed();
                if (keyed != null) {
                    answers.add(KeyedAnswers.entry(event, keyed, part.row.epoch()));
                }
            }
        }
        return answers;
    }
}
