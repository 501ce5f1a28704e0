package dev.ovation.transfer.merge;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.job.Job;
import dev.ovation.job.Job.JobState;
import dev.ovation.job.JobHandler;
import dev.ovation.job.JobLease;
import dev.ovation.store.Columns;
import dev.ovation.store.postgres.LongReads;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;
import dev.ovation.transfer.file.FileKind;
import dev.ovation.transfer.file.FileTimes;
import dev.ovation.transfer.staging.ReportSample;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

import javax.sql.DataSource;

/**
 * Compares the staged rows of a file with the stored reactions of its namespaces, partition by
 * partition, and changes nothing. Each partition is compared at one instant. A file row that an
 * import would call outdated is no difference, and a stored reaction that is later than all rows of
 * the file is none either.
 */
public final class CompareHandler implements JobHandler {

    private static final int FETCHED = 1000;
    private static final long STEP_NANOS = 250_000_000;

    private static final String SQL =
            """
            with file as materialized (
                select distinct on (namespace, entity, user_id, value)
                       namespace, entity, user_id, value, at, removes
                from   import_row
                where  job_id = ? and p = ?
                order  by namespace, entity, user_id, value, at desc, removes desc),
            stored as materialized (
                select e.namespace, e.entity, r.user_id, x.name as value, r.reacted_at
                from   entity e
                join   user_reaction r on r.p = e.p /*on r.p*/ and r.entity_no = e.no
                join   reaction_name x on x.no = r.reaction
                where  e.p = ? and e.namespace = any (?)),
            compared as materialized (
                select namespace, entity, user_id, value, coalesce(f.at, s.reacted_at) as at,
                       case when f.at is null then
                                case when s.reacted_at > ? then 'later' else 'extra' end
                            when s.reacted_at is null then
                                case when f.removes then 'same' else 'missing' end
                            when not f.removes then 'same'
                            when s.reacted_at > f.at then 'outdated'
                            else 'extra' end as verdict
                from   file f
                full   join stored s using (namespace, entity, user_id, value)),
            judged as materialized (
                select c.namespace, c.entity, c.user_id, c.value, c.at,
                       case when c.verdict = 'missing' and exists (
                                select from removal r
                                join   entity e on e.p = r.p and e.no = r.entity_no
                                join   reaction_name x on x.no = r.reaction
                                where  e.p = ? /*on r.p*/ and e.namespace = c.namespace and e.entity = c.entity
                                and    x.name = c.value and r.user_id = c.user_id
                                and    r.removed_at >= c.at)
                            then 'outdated' else c.verdict end as verdict
                from   compared c)
            (select verdict, count(*) as rows, null as namespace, null as entity, null as user_id,
                    null as value, 0 as at
             from   judged where verdict not in ('missing', 'extra') group by verdict)
            union  all
            (select verdict, 1, namespace, entity, user_id, value, at
             from   judged where verdict in ('missing', 'extra')
             order  by namespace, entity, user_id, value)
            """;

    private final JdbcTemplate jdbc;
    private final TransactionOperations transactions;
    private final CurrentRules rules;
    private final int partitions;
    private final Shards shards;

    public CompareHandler(
            DataSource database,
            TransactionOperations transactions,
            CurrentRules rules,
            int partitions,
            Shards shards) {
        this.shards = shards;
        this.jdbc = new JdbcTemplate(database);
        this.jdbc.setFetchSize(FETCHED);
        this.transactions = transactions;
        this.rules = rules;
        this.partitions = partitions;
    }

    @Override
    public Set<String> kinds() {
        return Set.of(FileKind.COMPARISON);
    }

    @Override
    public StepOutcome step(Job job, JobLease lease) {
        ObjectNode report = (ObjectNode) job.report().deepCopy();
        ObjectNode position = (ObjectNode) job.position().deepCopy();
        int p = position.path("next").asInt(0);
        if (p == partitions) {
            lease.finish(JobState.DONE, report);
            return StepOutcome.ENDED;
        }
        for (String verdict : List.of("missing", "extra")) {
            var _ = ReportSample.in(report, verdict);
        }
        List<String> namespaces =
                position.path("namespaces").valueStream().map(JsonNode::stringValue).toList();
        long latest = position.path("latest").asLong(0);
        long start = System.nanoTime();
        do {
            compare(job.id(), p++, namespaces, latest, report);
        } while (p < partitions && System.nanoTime() - start < STEP_NANOS);
        position.put("next", p);
        long total = job.total() == null ? 0 : job.total();
        lease.save(position, total * p / partitions, report);
        return StepOutcome.MORE;
    }

    @Override
    public boolean reacknowledge(Job job) {
        return true;
    }

    private void compare(long job, int p, List<String> namespaces, long latest, ObjectNode report) {
        shards.within(
                List.of(p),
                () -> {
                    compareWithin(job, p, namespaces, latest, report);
                    return true;
                });
    }

    private void compareWithin(
            long job, int p, List<String> namespaces, long latest, ObjectNode report) {
        transactions.executeWithoutResult(
                _ -> {
                    LongReads.takeYourTime(jdbc);
                    jdbc.query(
                            Narrowed.sql(SQL),
                            row -> {
                                note(row, report);
                            },
                            job,
                            p,
                            p,
                            Columns.texts(namespaces),
                            latest,
                            p);
                });
    }

    private void note(ResultSet row, ObjectNode report) throws SQLException {
        String verdict = row.getString(1);
        if (row.getString(3) == null) {
            report.put(verdict, report.path(verdict).asLong(0) + row.getLong(2));
            return;
        }
        String namespace = row.getString(3);
        String entity = row.getString(4);
        String user = row.getString(5);
        String reaction = rules.current().spelling(row.getString(6));
        String at = FileTimes.text(row.getLong(7));
        ReportSample.add(
                report,
                verdict,
                one ->
                        one.put("namespace_id", namespace)
                                .put("entity_id", entity)
                                .put("user_id", user)
                                .put("reaction_id", reaction)
                                .put("reacted_at", at));
    }
}
