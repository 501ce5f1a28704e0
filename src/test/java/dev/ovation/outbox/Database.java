package dev.ovation.outbox;

import dev.ovation.entity.EntityKey;
import dev.ovation.outbox.batch.Batch;
import dev.ovation.outbox.batch.Look;
import dev.ovation.store.EntitySnapshot;
import dev.ovation.store.EntityTable;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.PartitionTable.Succession;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.ReactionTables;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.RejectedEvents.Range;
import dev.ovation.store.Snapshots;
import dev.ovation.store.Snapshots.Wanted;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** What instances ask of Postgres; the shipped code over tables that are modelled or real. */
public class Database {

    /** The tables of one Postgres. */
    public record Tables(
            PartitionTable partitions,
            EntityTable entities,
            ReactionTables reactions,
            IdempotencyTable idempotency,
            RejectedEvents rejections,
            Snapshots snapshots) {}

    /** A transaction, in steps. */
    interface Session {
        /** Locks, judges and applies; none of it counts before the commit. */
        List<Batch.Result> apply(List<Look> looks, Map<String, String> poison);

        /** Locks, and takes new epochs where they are due. */
        List<Succession> take(
                Collection<Integer> wanted,
                Epochs.Seen seen,
                Predicate<PartitionRow> mustEnd,
                long seconds);

        /** Returns false when the session had been ended. */
        boolean commit();

        void rollback();
    }

    /** Begins transactions. */
    public interface Sessions {
        Object begin(String owner, Database database);
    }

    private final PostgresGate gate = new PostgresGate(9, 9, Duration.ofSeconds(9));

    private final Tables tables;
    private final Sessions sessions;
    final Batch batch;
    private final Commits commits;

    public Database(Tables tables, Sessions sessions) {
        this.tables = tables;
        this.sessions = sessions;
        this.batch =
                new Batch(
                        tables.partitions(),
                        tables.entities(),
                        tables.reactions(),
                        tables.idempotency(),
                        tables.rejections());
        this.commits = new Commits(null, null, tables.partitions(), tables.rejections(), gate);
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

    public Optional<IdempotencyTable.Entry> firstAnswer(IdempotencyTable.Key key) {
        return tables.idempotency().find(key);
    }

    public EntitySnapshot snapshot(int p, EntityKey key, @Nullable String viewer) {
        return tables.snapshots().entities(List.of(new Wanted(p, key, viewer)), 100).getFirst();
    }

    List<Succession> takeWithin(
            Collection<Integer> wanted,
            Epochs.Seen seen,
            Predicate<PartitionRow> mustEnd,
            long seconds) {
        return Epochs.take(tables.partitions(), wanted, seen, mustEnd, seconds);
    }
}
