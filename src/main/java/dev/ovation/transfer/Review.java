package dev.ovation.transfer;

import dev.ovation.configuration.Rules;
import dev.ovation.namespace.NamespaceRules;
import dev.ovation.store.Columns;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

import javax.sql.DataSource;

/**
 * Looks for what breaks the rules where an import has been: it bypasses them, because a migration
 * must not lose anything. Of users it looks at those to whom the import brought a reaction of a
 * group. Only reads, without locks, so it may take as long as that takes. What it compares with is
 * looked up by its key, whatever the planner believes of the size of an import: else it would read
 * whole tables, for each partition again.
 */
final class Review {

    private static final int ANSWER_MILLIS = 600_000;
    private static final int FETCHED = 1000;

    private final JdbcTemplate jdbc;
    private final TransactionOperations transactions;
    private final Rules rules;

    Review(DataSource database, TransactionOperations transactions, Rules rules) {
        this.jdbc = new JdbcTemplate(database);
        this.jdbc.setFetchSize(FETCHED);
        this.transactions = transactions;
        this.rules = rules;
    }

    /** Notes in a report what is wrong with the entities and users of one partition. */
    void review(long job, int p, ObjectNode report) {
        transactions.executeWithoutResult(
                _ -> {
                    takeYourTime();
                    List<String> namespaces =
                            jdbc.query(
                                    """
                                    select distinct namespace from import_row
                                    where  job_id = ? and p = ?
                                    """,
                                    (row, _) -> row.getString(1),
                                    job,
                                    p);
                    for (String namespace : namespaces) {
                        NamespaceRules its = rules.current().namespace(namespace);
                        if (its != null) {
                            reviewKinds(job, p, its, report);
                            reviewGroups(job, p, its, report);
                        }
                    }
                });
    }

    private void takeYourTime() {
        jdbc.query(
                """
                select set_config('transaction_timeout', '0', true)
                where  current_setting('server_version_num')::int >= 170000
                """,
                _ -> {});
        ConnectionCallback<Boolean> patient =
                connection -> {
                    connection.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
                    return true;
                };
        jdbc.execute(patient);
    }

    /** Retired kinds use up no place, here as elsewhere. */
    private void reviewKinds(long job, int p, NamespaceRules its, ObjectNode report) {
        if (its.keys().size() <= its.maxUniqReactions()) {
            return;
        }
        String namespace = its.namespace().id();
        jdbc.query(
                """
                select i.entity, c.kinds
                from  (select distinct entity from import_row
                       where  job_id = ? and p = ? and namespace = ? order by entity) i
                cross  join lateral
                      (select count(*) as kinds from counter
                       where  namespace = ? and entity = i.entity and reaction = any (?)) c
                where  c.kinds > ?
                order  by i.entity
                """,
                row -> {
                    String entity = row.getString(1);
                    long kinds = row.getLong(2);
                    Noted.add(
                            report,
                            "max_uniq_reactions",
                            one ->
                                    one.put("namespace_id", namespace)
                                            .put("entity_id", entity)
                                            .put("kinds", kinds));
                },
                job,
                p,
                namespace,
                namespace,
                Columns.texts(its.keys()),
                its.maxUniqReactions());
    }

    private void reviewGroups(long job, int p, NamespaceRules its, ObjectNode report) {
        List<String> grouped =
                its.keys().stream().filter(key -> !its.excluded(key).isEmpty()).toList();
        if (grouped.isEmpty()) {
            return;
        }
        String namespace = its.namespace().id();
        Object exclusives = Columns.texts(grouped);
        jdbc.query(
                """
                select i.entity, i.user_id, r.has
                from  (select distinct entity, user_id from import_row
                       where  job_id = ? and p = ? and namespace = ? and value = any (?)
                       order  by entity, user_id) i
                cross  join lateral
                      (select array_agg(reaction) as has from user_reaction
                       where  namespace = ? and entity = i.entity and user_id = i.user_id
                       and    reaction = any (?)) r
                where  cardinality(r.has) > 1
                order  by i.entity, i.user_id
                """,
                row -> {
                    List<String> has = List.of((String[]) row.getArray(3).getArray());
                    List<String> exclusive = exclusive(has, its);
                    if (!exclusive.isEmpty()) {
                        note(namespace, row.getString(1), row.getString(2), exclusive, report);
                    }
                },
                job,
                p,
                namespace,
                exclusives,
                namespace,
                exclusives);
    }

    private static List<String> exclusive(List<String> has, NamespaceRules its) {
        return has.stream()
                .filter(key -> its.excluded(key).stream().anyMatch(has::contains))
                .sorted()
                .toList();
    }

    private void note(
            String namespace,
            String entity,
            String user,
            List<String> reactions,
            ObjectNode report) {
        Noted.add(
                report,
                "mutually_exclusive_reactions",
                one -> {
                    one.put("namespace_id", namespace);
                    one.put("entity_id", entity);
                    one.put("user_id", user);
                    ArrayNode list = one.putArray("reactions");
                    reactions.forEach(key -> list.add(rules.current().spelling(key)));
                });
    }
}
