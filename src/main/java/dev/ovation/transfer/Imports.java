package dev.ovation.transfer;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.entity.Partitions;
import dev.ovation.job.Job;
import dev.ovation.job.JobLease;
import dev.ovation.job.JobTable;
import dev.ovation.job.JobTable.Begun;
import dev.ovation.transfer.ImportController.ImportRequest;
import dev.ovation.transfer.file.ContestFile;
import dev.ovation.transfer.file.FileKind;
import dev.ovation.transfer.file.FileTimes;
import dev.ovation.transfer.file.ImportFile;
import dev.ovation.transfer.file.Lines;
import dev.ovation.transfer.file.TableFile;
import dev.ovation.transfer.staging.StagingTable;
import dev.ovation.transfer.staging.StagingWriter;
import dev.ovation.transfer.staging.TransferSettings;

import org.springframework.transaction.support.TransactionOperations;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Receives files. */
final class Imports {

    /** Greatest difference by which the clock behind a file may be ahead of that of Postgres. */
    private static final Duration CLOCKS_DIFFER = Duration.ofDays(1);

    private final JobTable jobs;
    private final StagingTable rows;
    private final TransactionOperations transactions;
    private final Partitions partitions;
    private final CurrentRules rules;
    private final TransferSettings settings;

    Imports(
            JobTable jobs,
            StagingTable rows,
            TransactionOperations transactions,
            Partitions partitions,
            CurrentRules rules,
            TransferSettings settings) {
        this.jobs = jobs;
        this.rows = rows;
        this.transactions = transactions;
        this.partitions = partitions;
        this.rules = rules;
        this.settings = settings;
    }

    /** Returns whether the file of this key has arrived already: then no file is read. */
    boolean isReady(ImportRequest order) {
        return order.key() != null && jobs.isReady(order.key());
    }

    /** Begins an import, or continues the one of the same key. */
    Begun begin(ImportRequest order) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("type", order.json() ? "ndjson" : "csv");
        if (order.namespace() != null) {
            request.put("namespace_id", order.namespace());
        }
        String job = order.compare() ? FileKind.COMPARISON : order.kind().job();
        return jobs.begin(job, request, order.key());
    }

    /** Stages a whole file. */
    void take(ImportRequest order, Job job, JobLease lease, InputStream body) throws IOException {
        var _ = rules.catchUpIfOlder(rules.current().version());
        ImportFile file = open(order, job, new Lines(body));
        var staging =
                new StagingWriter(
                        rows, transactions, partitions, rules.current(), lease, job, settings);
        file.readInto(staging);
        staging.complete();
    }

    private static ImportFile open(ImportRequest order, Job job, Lines lines) throws IOException {
        String namespace = order.namespace();
        // The time of the job, not of now: the same bytes give the same rows in a repeated upload.
        long latest = FileTimes.micros(job.startedAt().plus(CLOCKS_DIFFER));
        return order.kind().isOfTheContest()
                ? new ContestFile(
                        order.kind(), lines, namespace == null ? ContestFile.NAMESPACE : namespace)
                : new TableFile(order.kind(), lines, order.json(), namespace, latest);
    }

    /** Returns a job that must exist. */
    Job find(long id) {
        return jobs.find(id).orElseThrow();
    }
}
