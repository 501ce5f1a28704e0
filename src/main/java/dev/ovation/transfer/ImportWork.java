package dev.ovation.transfer;

import dev.ovation.hot.Tokens;
import dev.ovation.job.Job;
import dev.ovation.job.Job.State;
import dev.ovation.job.JobHandler;
import dev.ovation.job.JobLease;
import dev.ovation.outbox.Interventions;
import dev.ovation.outbox.Interventions.Changed;
import dev.ovation.outbox.NotJudgedException;
import dev.ovation.transfer.ImportRows.Piece;
import dev.ovation.transfer.file.Kind;
import dev.ovation.transfer.file.Kind.Target;

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
 * Moves the rows of imports, piece by piece, partition after partition; then looks, partition after
 * partition, at what breaks the rules. A piece, the counters, and how far the import has come are
 * one transaction.
 */
final class ImportWork implements JobHandler {

    private final ImportRows rows;
    private final Moves moves;
    private final Review review;
    private final Interventions interventions;
    private final TransactionOperations transactions;
    private final TransferSettings settings;
    private final Map<Target, PieceSize> sizes = new EnumMap<>(Target.class);

    ImportWork(
            ImportRows rows,
            Moves moves,
            Review review,
            Interventions interventions,
            TransactionOperations transactions,
            TransferSettings settings) {
        this.rows = rows;
        this.moves = moves;
        this.review = review;
        this.interventions = interventions;
        this.transactions = transactions;
        this.settings = settings;
        for (Target target : Target.values()) {
            sizes.put(target, new PieceSize(settings.batch(), settings.hold()));
        }
    }

    /** The piece that was moved last, or, then, the partition that was looked at last. */
    private record Position(int p, long from, long to, int reviewed) {
        static Position of(JsonNode json) {
            return new Position(
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
        return StagedRowRemoval.jobKinds();
    }

    @Override
    public StepOutcome step(Job job, JobLease lease) throws InterruptedException {
        Target target = Kind.ofJob(job.kind()).target;
        Position at = Position.of(job.position());
        int size = size(target).rows();
        Piece next = at.reviewed < 0 ? rows.next(job.id(), at.p, at.to, size) : null;
        if (next != null) {
            if (target == Target.REACTIONS && next.p() == at.p && at.to > 0) {
                Thread.sleep(settings.pause());
            }
            return move(job, lease, target, next) ? StepOutcome.MORE : StepOutcome.BUSY;
        }
        if (target == Target.REACTIONS) {
            return review(job, lease, at);
        }
        lease.finish(State.DONE, job.report());
        return StepOutcome.ENDED;
    }

    @Override
    public boolean reacknowledge(Job job) throws InterruptedException {
        Position at = Position.of(job.position());
        if (at.to == 0 || Kind.ofJob(job.kind()).target != Target.REACTIONS) {
            return true;
        }
        var last = new Piece(at.p, at.from, at.to, 0);
        return interventions.tellAgain(at.p, moves.entities(job.id(), last));
    }

    private boolean move(Job job, JobLease lease, Target target, Piece piece)
            throws InterruptedException {
        PieceSize size = size(target);
        try {
            if (target == Target.REACTIONS) {
                return interventions.make(
                        piece.p(), timed(size, piece, () -> react(job, lease, piece)));
            }
            transactions.executeWithoutResult(
                    _ -> {
                        var _ = timed(size, piece, () -> befriend(job, lease, target, piece)).get();
                    });
            return true;
        } catch (NotJudgedException e) {
            throw e; // the piece is committed
        } catch (RuntimeException e) {
            size.failed();
            throw e;
        }
    }

    private PieceSize size(Target target) {
        return Objects.requireNonNull(sizes.get(target));
    }

    private List<Changed> react(Job job, JobLease lease, Piece piece) {
        lease.renew(); // an erasure waits for the piece, and the piece for the erasure
        String op = Tokens.next();
        Moved moved = moves.reactions(job.id(), piece, op, interventions.leap());
        save(job, lease, piece, moved);
        return moved.entities().stream().map(key -> new Changed(key, op)).toList();
    }

    private List<Changed> befriend(Job job, JobLease lease, Target target, Piece piece) {
        lease.renew();
        Moved moved =
                target == Target.USERS
                        ? moves.users(job.id(), piece)
                        : moves.friends(job.id(), piece);
        save(job, lease, piece, moved);
        return List.of();
    }

    private static void save(Job job, JobLease lease, Piece piece, Moved moved) {
        ObjectNode report = copy(job);
        long applied = moved.applied();
        report.put("applied", report.path("applied").asLong(0) + applied);
        report.put("unchanged", report.path("unchanged").asLong(0) + piece.rows() - applied);
        var position = new Position(piece.p(), piece.from(), piece.to(), -1);
        lease.save(position.json(), job.done() + piece.rows(), report);
    }

    /** Looks at partitions for as long as a piece may take, for each save is a commit. */
    private StepOutcome review(Job job, JobLease lease, Position at) {
        ObjectNode report = copy(job);
        long start = System.nanoTime();
        int reviewed = at.reviewed;
        do {
            Piece next = rows.next(job.id(), reviewed + 1, 0, 1);
            if (next == null) {
                lease.finish(State.DONE, report);
                return StepOutcome.ENDED;
            }
            review.review(job.id(), next.p(), report);
            reviewed = next.p();
        } while (System.nanoTime() - start < settings.hold().toNanos());
        lease.save(new Position(at.p, at.from, at.to, reviewed).json(), job.done(), report);
        return StepOutcome.MORE;
    }

    private static ObjectNode copy(Job job) {
        return (ObjectNode) job.report().deepCopy();
    }

    /** What a piece takes while others wait is the measure of the next ones. */
    private static Supplier<List<Changed>> timed(
            PieceSize size, Piece piece, Supplier<List<Changed>> change) {
        return () -> {
            long start = System.nanoTime();
            List<Changed> changed = change.get();
            size.took(piece.rows(), System.nanoTime() - start);
            return changed;
        };
    }
}
