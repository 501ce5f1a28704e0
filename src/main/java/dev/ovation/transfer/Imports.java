package dev.ovation.transfer;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.entity.Partitions;
import dev.ovation.job.Job;
import dev.ovation.job.JobLease;
import dev.ovation.job.Jobs;
import dev.ovation.job.Jobs.Begun;
import dev.ovation.transfer.ImportController.Order;
import dev.ovation.transfer.file.ContestFile;
import dev.ovation.transfer.file.ImportFile;
import dev.ovation.transfer.file.Lines;
import dev.ovation.transfer.file.TableFile;
import dev.ovation.transfer.file.Times;

import org.springframework.transaction.support.TransactionOperations;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Takes files in. */
final class Imports {

    /** How far the clocks of who made a file may be ahead of that of Postgres. */
    private static final Duration CLOCKS_DIFFER = Duration.ofDays(1);

    private final Jobs jobs;
    private final ImportRows rows;
    private final TransactionOperations transactions;
    private final Partitions partitions;
    private final CurrentRules rules;
    private final TransferSettings settings;

    Imports(
            Jobs jobs,
            ImportRows rows,
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

    /** Whether the file of this key has arrived already: then none is read. */
    boolean isReady(Order order) {
        return order.key() != null && jobs.isReady(order.key());
    }

    /** Begins an import, or goes on with the one of the same key. */
    Begun begin(Order order) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("type", order.json() ? "ndjson" : "csv");
        if (order.namespace() != null) {
            request.put("namespace_id", order.namespace());
        }
        return jobs.begin(order.kind().job(), request, order.key());
    }

    /** Puts a whole file down. */
    void take(Order order, Job job, JobLease lease, InputStream body) throws IOException {
        var _ = rules.catchUpIfOlder(rules.current().version());
        ImportFile file = open(order, job, new Lines(body));
        var arrival =
                new Arrival(rows, transactions, partitions, rules.current(), lease, job, settings);
        file.readInto(arrival);
        arrival.complete();
    }

    private static ImportFile open(Order order, Job job, Lines lines) throws IOException {
        String namespace = order.namespace();
        // Of the job, not of now: the same bytes give the same rows when they come again.
        long latest = Times.micros(job.startedAt().plus(CLOCKS_DIFFER));
        return order.kind().isOfTheContest()
                ? new ContestFile(
                        order.kind(), lines, namespace == null ? ContestFile.NAMESPACE : namespace)
                : new TableFile(order.kind(), lines, order.json(), namespace, latest);
    }

    /** A job that is known to be there. */
    Job find(long id) {
        return jobs.find(id).orElseThrow();
    }
}
