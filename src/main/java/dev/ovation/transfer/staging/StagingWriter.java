package dev.ovation.transfer.staging;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.job.Job;
import dev.ovation.job.JobLease;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.transfer.file.FileKind;
import dev.ovation.transfer.file.FileKind.RowKind;
import dev.ovation.transfer.file.FileRow;
import dev.ovation.transfer.file.Sink;
import dev.ovation.transfer.file.TooMuchException;
import dev.ovation.web.problem.Problems;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionOperations;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Stages the rows of one file while it arrives. If the upload is repeated after an interruption,
 * rows that are staged already are skipped, once they are known to be the same.
 */
public final class StagingWriter implements Sink {

    private static final String STAGED = "staged";
    private static final String DIGEST = "digest";
    private static final long SILENCE_NANOS = 2_000_000_000L;
    private static final int PAIRS = 10_000;
    private static final int MOST_NAMESPACES = 1_000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final StagingTable table;
    private final TransactionOperations transactions;
    private final Partitions partitions;
    private final RulesInForce rules;
    private final JobLease lease;
    private final RowKind target;
    private final int chunk;
    private final long limit;

    private final long stagedBefore;
    private final long digestBefore;
    private final ObjectNode report = JsonNodeFactory.instance.objectNode();
    private final StagingTable.Buffer buffer = new StagingTable.Buffer();
    private final Set<String> unknown = new HashSet<>();
    private final boolean compares;
    private final Set<String> namespaces = new TreeSet<>();
    private long latest;
    private long rows;
    private long bad;
    private long withoutLikes;
    private long digest;
    private long flushedAt = System.nanoTime();

    public StagingWriter(
            StagingTable table,
            TransactionOperations transactions,
            Partitions partitions,
            RulesInForce rules,
            JobLease lease,
            Job job,
            TransferSettings settings) {
        this.table = table;
        this.transactions = transactions;
        this.partitions = partitions;
        this.rules = rules;
        this.lease = lease;
        this.target = FileKind.ofJob(job.kind()).target;
        this.compares = job.kind().equals(FileKind.COMPARISON);
        this.chunk = settings.chunk();
        this.limit = settings.rows();
        this.stagedBefore = job.position().path(STAGED).asLong(0);
        this.digestBefore = job.position().path(DIGEST).asLong(0);
    }

    @Override
    public void row(FileRow given) throws TooMuchException {
        if (rows == limit) {
            throw new TooMuchException("has more than %d rows".formatted(limit));
        }
        rows++;
        digest = given.digest(digest);
        FileRow row = folded(given);
        if (target == RowKind.REACTIONS) {
            note(row);
        }
        if (compares) {
            noteScope(row);
        }
        if (rows == stagedBefore && digest != digestBefore) {
            throw Problems.idempotencyMismatch();
        }
        if (rows > stagedBefore) {
            buffer.add(lease.id(), partition(row), rows, row);
        }
        flushIfDue();
    }

    @Override
    public void bad(long line, String problem) {
        bad++;
        ReportSample.add(report, "bad", one -> one.put("line", line).put("problem", problem));
        flushIfDue();
    }

    @Override
    public void withoutLikes() {
        withoutLikes++;
        flushIfDue();
    }

    @Override
    public void stated(long stated) {
        if (stated != rows + bad) {
            ReportSample.add(
                    report,
                    "bad",
                    one ->
                            one.put(
                                    "problem",
                                    "the file states %d rows, there are %d"
                                            .formatted(stated, rows + bad)));
        }
    }

    /** Returns the row with the key by which its namespace compares the reaction. */
    private FileRow folded(FileRow row) {
        String namespace = target == RowKind.REACTIONS ? row.namespace() : null;
        NamespaceRules its = namespace == null ? null : rules.namespace(namespace);
        return its == null
                ? row
                : row.withReaction(its.keyOf(row.value()), its.formOf(row.value()));
    }

    private int partition(FileRow row) {
        return target != RowKind.REACTIONS
                ? 0
                : partitions.of(
                        new EntityKey(
                                Objects.requireNonNull(row.namespace()),
                                Objects.requireNonNull(row.entity())));
    }

    /**
     * Notes an id that the rules do not know. The row is imported all the same: a migration must
     * not lose such data.
     */
    private void note(FileRow row) {
        String namespace = Objects.requireNonNull(row.namespace());
        NamespaceRules its = rules.namespace(namespace);
        if (its != null && its.takes(row.value())) {
            return;
        }
        if (unknown.size() < PAIRS
                && unknown.add(namespace + '\n' + (its == null ? "" : row.value()))) {
            ReportSample.add(
                    report,
                    its == null ? "unknown_namespaces" : "unknown_reactions",
                    one -> {
                        one.put("namespace_id", namespace);
                        if (its != null) {
                            one.put("reaction_id", row.value());
                        }
                    });
        }
    }

    /** Notes what a comparison looks at: the namespaces of the file, up to its latest time. */
    private void noteScope(FileRow row) throws TooMuchException {
        latest = Math.max(latest, row.at());
        if (namespaces.add(Objects.requireNonNull(row.namespace()))
                && namespaces.size() > MOST_NAMESPACES) {
            throw new TooMuchException("has more than %d namespaces".formatted(MOST_NAMESPACES));
        }
    }

    private void flushIfDue() {
        if (buffer.rows() >= chunk || System.nanoTime() - flushedAt > SILENCE_NANOS) {
            flush();
        }
    }

    private void flush() {
        ObjectNode position = JsonNodeFactory.instance.objectNode();
        position.put(STAGED, Math.max(rows, stagedBefore));
        position.put(DIGEST, rows >= stagedBefore ? digest : digestBefore);
        transactions.executeWithoutResult(
                _ -> {
                    table.copy(buffer);
                    lease.save(position, 0, report);
                });
        buffer.clear();
        flushedAt = System.nanoTime();
    }

    /**
     * Completes the upload: all rows are staged, and their merge is requested.
     *
     * @throws dev.ovation.web.problem.ProblemException 422 when the file is shorter than its
     *     earlier upload, 503 {@code outcome-unknown} when it is not certain that the rows will be
     *     merged
     */
    public void complete() {
        if (rows < stagedBefore) {
            throw Problems.idempotencyMismatch();
        }
        flush();
        var whole = JsonNodeFactory.instance.objectNode();
        whole.put("rows", rows);
        if (withoutLikes > 0) {
            whole.put("objects_without_likes", withoutLikes);
        }
        if (!compares) {
            whole.put("applied", 0L);
            whole.put("unchanged", 0L);
        }
        if (target == RowKind.REACTIONS) {
            whole.put("outdated", 0L);
        }
        ReportSample.in(report, "bad");
        whole.setAll(report);
        try {
            lease.markReady(scope(), rows, whole);
        } catch (DataAccessException e) {
            throw Problems.outcomeUnknown("Postgres did not confirm the import", RETRY_AFTER);
        }
    }

    /** Returns the position at which the job begins. */
    private ObjectNode scope() {
        ObjectNode scope = JsonNodeFactory.instance.objectNode();
        if (compares) {
            scope.put("latest", latest);
            namespaces.forEach(scope.putArray("namespaces")::add);
        }
        return scope;
    }
}
