package dev.ovation.outbox;

import dev.ovation.entity.EntityKey;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayCall;
import dev.ovation.outbox.batch.RelayCall.CallOutcome;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.recovery.Epochs;
import dev.ovation.store.EntityTable;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.PartitionTable.Succession;
import dev.ovation.store.ReactionTables;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.RejectedEvents.Range;
import dev.ovation.store.RelayFunction;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.store.snapshot.Snapshots;
import dev.ovation.store.snapshot.Snapshots.Wanted;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Access of instances to Postgres: the shipped code over modelled or real tables. */
public class Database {

    /** The tables of one Postgres. */
    public record Tables(
            PartitionTable partitions,
            EntityTable entities,
            ReactionTables reactions,
            IdempotencyTable idempotency,
            RejectedEvents rejections,
            RelayFunction function,
            Snapshots snapshots) {}

    /** A transaction, in steps. */
    interface Session {
        /** Locks, judges and applies; no change is visible before the commit. */
        List<RelayTransaction.PartitionResult> apply(
                List<OutboxSlice> looks, Map<String, String> poison);

        /** Applies and commits by one call, or changes nothing; ends the session. */
        CallOutcome call(List<OutboxSlice> looks);

        /** Locks, and takes new epochs where they are due. */
        List<Succession> take(
                Collection<Integer> wanted,
                Epochs.OpenedEpoch seen,
                Predicate<PartitionRow> mustEnd,
                long seconds);

        /** Returns false if the session has ended. */
        boolean commit();

        void rollback();
    }

    /** Begins transactions. */
    public interface Sessions {
        Object begin(String owner, Database database);
    }

    private final PostgresBulkhead gate = new PostgresBulkhead(9, 9, Duration.ofSeconds(9));

    private final Tables tables;
    private final Sessions sessions;
    final RelayTransaction batch;
    final RelayCall call;
    private final CommitWaiter commits;

    public Database(Tables tables, Sessions sessions) {
        this.tables = tables;
        this.sessions = sessions;
        this.batch =
                new RelayTransaction(
                        tables.partitions(),
                        tables.entities(),
                        tables.reactions(),
                        tables.idempotency(),
                        tables.rejections(),
                        new ChangeLog(null));
        this.call = new RelayCall(tables.function(), () -> false);
        this.commits = new CommitWaiter(null, null, tables.partitions(), tables.rejections(), gate);
    }

    Tables tables() {
        return tables;
    }

    Session begin(String owner) {
        return (Session) sessions.begin(owner, this);
    }

    List<PartitionRow> rows() {
        return tables.partitions().all();
    }

    Map<Integer, Set<Long>> rejections(List<Range> ranges) {
        return tables.rejections().within(ranges);
    }

    Verdict ofClosedEpoch(int p, long epoch, long seq) {
        return commits.ofClosedEpoch(p, epoch, seq);
    }

    public Optional<IdempotencyTable.IdempotencyEntry> firstAnswer(
            IdempotencyTable.IdempotencyScope key) {
        return tables.idempotency().find(key, "");
    }

    public EntitySnapshot snapshot(int p, EntityKey key, @Nullable String viewer) {
        return tables.snapshots().entities(List.of(new Wanted(p, key, viewer)), 100).getFirst();
    }

    List<Succession> takeWithin(
            Collection<Integer> wanted,
            Epochs.OpenedEpoch seen,
            Predicate<PartitionRow> mustEnd,
            long seconds) {
        return Epochs.take(tables.partitions(), wanted, seen, mustEnd, seconds);
    }
}
