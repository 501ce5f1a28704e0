package dev.ovation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayCall.CallOutcome;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.recovery.Epochs;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable.Succession;
import dev.ovation.store.RejectedEvents.Range;
import dev.ovation.store.snapshot.EntitySnapshot;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** A modelled Postgres and a real one; their answers and judgements must be equal. */
public final class TwinDatabase extends Database {

    private final Database model;
    private final Database real;

    public TwinDatabase(Database model, Database real) {
        super(model.tables(), null);
        this.model = model;
        this.real = real;
    }

    private static <T> T same(String what, T expected, T found) {
        assertThat(found).as(what).isEqualTo(expected);
        return expected;
    }

    private <T> T same(String what, Function<Database, T> question) {
        return same(what, question.apply(model), question.apply(real));
    }

    @Override
    List<PartitionRow> rows() {
        return same("rows", Database::rows);
    }

    @Override
    Map<Integer, Set<Long>> rejections(List<Range> ranges) {
        return same("what was rejected", database -> database.rejections(ranges));
    }

    @Override
    Verdict ofClosedEpoch(int p, long epoch, long seq) {
        return same("verdict", database -> database.ofClosedEpoch(p, epoch, seq));
    }

    @Override
    public Optional<IdempotencyTable.IdempotencyEntry> firstAnswer(
            IdempotencyTable.IdempotencyScope key) {
        return same("first answer", database -> database.firstAnswer(key));
    }

    /** The counters of a snapshot are in no order. */
    @Override
    public EntitySnapshot snapshot(int p, EntityKey key, @Nullable String viewer) {
        var expected = model.snapshot(p, key, viewer);
        var found = real.snapshot(p, key, viewer);
        same("counters", new HashSet<>(expected.counters()), new HashSet<>(found.counters()));
        var ordered =
                new EntitySnapshot(
                        found.epoch(),
                        found.version(),
                        found.op(),
                        found.lastAt(),
                        found.people(),
                        expected.counters(),
                        found.complete(),
                        found.users());
        return same("snapshot", expected, ordered);
    }

    @Override
    Session begin(String owner) {
        return new Twin(model.begin(owner), real.begin(owner));
    }

    private record Twin(Session model, Session real) implements Session {
        @Override
        public List<RelayTransaction.PartitionResult> apply(
                List<OutboxSlice> looks, Map<String, String> poison) {
            return same("judgement", model.apply(looks, poison), real.apply(looks, poison));
        }

        @Override
        public CallOutcome call(List<OutboxSlice> looks) {
            return same("call", model.call(looks), real.call(looks));
        }

        @Override
        public List<Succession> take(
                Collection<Integer> wanted,
                Epochs.OpenedEpoch seen,
                Predicate<PartitionRow> mustEnd,
                long seconds) {
            return same(
                    "epochs",
                    model.take(wanted, seen, mustEnd, seconds),
                    real.take(wanted, seen, mustEnd, seconds));
        }

        @Override
        public boolean commit() {
            return same("commit", model.commit(), real.commit());
        }

        @Override
        public void rollback() {
            model.rollback();
            real.rollback();
        }
    }
}
