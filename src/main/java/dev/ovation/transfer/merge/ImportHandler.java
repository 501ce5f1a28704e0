package dev.ovation.transfer.merge;

import dev.ovation.hot.state.UniqueNames;
import dev.ovation.job.Job;
import dev.ovation.job.Job.JobState;
import dev.ovation.job.JobHandler;
import dev.ovation.job.JobLease;
import dev.ovation.outbox.PartitionTransactions;
import dev.ovation.outbox.PartitionTransactions.Changed;
import dev.ovation.outbox.UnsettledException;
import dev.ovation.transfer.file.FileKind;
import dev.ovation.transfer.file.FileKind.RowKind;
import dev.ovation.transfer.staging.StagedRowRemoval;
import dev.ovation.transfer.staging.StagingTable;
import dev.ovation.transfer.staging.StagingTable.Piece;
import dev.ovation.transfer.staging.TransferSettings;

import org.springframework.transaction.support.TransactionOperations;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Merges the rows of imports in steps, partition by partition; then scans for violations of the
 * rules, partition by partition. One transaction commits the rows of a step, the counters, and the
 * progress of the import.
 */
public final class ImportHandler implements JobHandler {

    private final StagingTable rows;
    private final ReactionMerge reactions;
    private final MergeStatements merges;
    private final RuleScan review;
    private final PartitionTransactions interventions;
    private final TransactionOperations transactions;
    private final TransferSettings settings;
    private final Map<RowKind, AdaptiveBatchSize> sizes = new EnumMap<>(RowKind.class);

    public ImportHandler(
            StagingTable rows,
            ReactionMerge reactions,
            MergeStatements merges,
            RuleScan review,
            PartitionTransactions interventions,
            TransactionOperations transactions,
            TransferSettings settings) {
        this.rows = rows;
        this.reactions = reactions;
        this.merges = merges;
        this.review = review;
        this.interventions = interventions;
        this.transactions = transactions;
        this.settings = settings;
        for (RowKind target : RowKind.values()) {
            sizes.put(target, new AdaptiveBatchSize(settings.batch(), settings.maxLockTime()));
        }
    }

    /** The latest merged step; after the merge, the latest scanned partition. */
    private record MergePosition(int p, long from, long to, int reviewed) {
        static MergePosition of(JsonNode json) {
            return new MergePosition(
                    json.path("p").asInt(0),
                    json.path("from").asLong(0),
                    json.path("to").asLong(0),
                    json.path("reviewed").asInt(-1));
        }

        JsonNode json() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("p", p).put("from", from).put("to", to);
            return reviewed < 0 ? json : json.put("reviewed", reviewed);
        }
    }

    @Override
    public Set<String> kinds() {
        return StagedRowRemoval.importKinds();
    }

    @Override
    public StepOutcome step(Job job, JobLease lease) throws InterruptedException {
        RowKind target = FileKind.ofJob(job.kind()).target;
        MergePosition at = MergePosition.of(job.position());
        int size = size(target).rows();
        Piece next = at.reviewed < 0 ? rows.next(job.id(), at.p, at.to, size) : null;
        if (next != null) {
            if (target == RowKind.REACTIONS && next.p() == at.p && at.to > 0) {
                Thread.sleep(settings.pause());
            }
            return move(job, lease, target, next) ? StepOutcome.MORE : StepOutcome.BUSY;
        }
        if (target == RowKind.REACTIONS) {
            return review(job, lease, at);
        }
        lease.finish(JobState.DONE, job.report());
        return StepOutcome.ENDED;
    }

    @Override
    public boolean reacknowledge(Job job) throws InterruptedException {
        MergePosition at = MergePosition.of(job.position());
        if (at.to == 0 || FileKind.ofJob(job.kind()).target != RowKind.REACTIONS) {
            return true;
        }
        var last = new Piece(at.p, at.from, at.to, 0);
        return interventions.acknowledgeAgain(at.p, reactions.entities(job.id(), last));
    }

    private boolean move(Job job, JobLease lease, RowKind target, Piece piece)
            throws InterruptedException {
        AdaptiveBatchSize size = size(target);
        try {
            if (target == RowKind.REACTIONS) {
                reactions.number(job.id(), piece);
                return interventions.execute(
                        piece.p(), timed(size, piece, () -> react(job, lease, piece)));
            }
            transactions.executeWithoutResult(
                    _ -> {
                        var _ = timed(size, piece, () -> befriend(job, lease, target, piece)).get();
                    });
            return true;
        } catch (UnsettledException e) {
            throw e; // the step is committed
        } catch (RuntimeException e) {
            size.failed();
            throw e;
        }
    }

    private AdaptiveBatchSize size(RowKind target) {
        return Objects.requireNonNull(sizes.get(target));
    }

    private List<Changed> react(Job job, JobLease lease, Piece piece) {
        lease.renew(); // an erasure waits for the step, and the step for the erasure
        String op = UniqueNames.next();
        MergeResult moved = reactions.merge(job.id(), piece, op, interventions.leap());
        save(job, lease, piece, moved);
        return moved.changed();
    }

    private List<Changed> befriend(Job job, JobLease lease, RowKind target, Piece piece) {
        lease.renew();
        MergeResult moved =
                target == RowKind.USERS
                        ? merges.users(job.id(), piece)
                        : merges.friends(job.id(), piece);
        save(job, lease, piece, moved);
        return List.of();
    }

    private static void save(Job job, JobLease lease, Piece piece, MergeResult moved) {
        ObjectNode report = copy(job);
        long applied = moved.applied();
        report.put("applied", report.path("applied").asLong(0) + applied);
        long outdated = moved.outdated();
        if (outdated > 0) {
            report.put("outdated", report.path("outdated").asLong(0) + outdated);
        }
        long unchanged = piece.rows() - applied - outdated;
        report.put("unchanged", report.path("unchanged").asLong(0) + unchanged);
        var position = new MergePosition(piece.p(), piece.from(), piece.to(), -1);
        lease.save(position.json(), job.done() + piece.rows(), report);
    }

    /** Scans partitions for as long as a step may take, because each save is a commit. */
    private StepOutcome review(Job job, JobLease lease, MergePosition at) {
        ObjectNode report = copy(job);
        long start = System.nanoTime();
        int reviewed = at.reviewed;
        do {
            Piece next = rows.next(job.id(), reviewed + 1, 0, 1);
            if (next == null) {
                lease.finish(JobState.DONE, report);
                return StepOutcome.ENDED;
            }
            review.review(job.id(), next.p(), report);
            reviewed = next.p();
        } while (System.nanoTime() - start < settings.maxLockTime().toNanos());
        lease.save(new MergePosition(at.p, at.from, at.to, reviewed).json(), job.done(), report);
        return StepOutcome.MORE;
    }

    private static ObjectNode copy(Job job) {
        return (ObjectNode) job.report().deepCopy();
    }

    /**
     * Measures the part of a step during which others wait; it determines the size of the next
     * ones.
     */
    private static Supplier<List<Changed>> timed(
            AdaptiveBatchSize size, Piece piece, Supplier<List<Changed>> change) {
        return () -> {
            long start = System.nanoTime();
            List<Changed> changed = change.get();
            size.took(piece.rows(), System.nanoTime() - start);
            return changed;
        };
    }
}
