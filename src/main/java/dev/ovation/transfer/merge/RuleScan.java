package dev.ovation.transfer.merge;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.store.Columns;
import dev.ovation.store.postgres.LongReads;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;
import dev.ovation.transfer.staging.ReportSample;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import javax.sql.DataSource;

/**
 * Scans for violations of the rules after an import, which bypasses the rules because a migration
 * must not lose data. The scan reads the users that received a reaction of a group by the import.
 * It does so only where counters show that an entity has kinds that exclude each other: otherwise
 * no user has both. It only reads, without locks, so its duration does not matter. Compared rows
 * are looked up by their key, whatever size of an import the planner assumes: otherwise each
 * partition would read whole tables.
 */
public final class RuleScan {

    private static final int FETCHED = 1000;

    private final JdbcTemplate jdbc;
    private final TransactionOperations transactions;
    private final CurrentRules rules;
    private final Shards shards;

    public RuleScan(
            DataSource database,
            TransactionOperations transactions,
            CurrentRules rules,
            Shards shards) {
        this.shards = shards;
        this.jdbc = new JdbcTemplate(database);
        this.jdbc.setFetchSize(FETCHED);
        this.transactions = transactions;
        this.rules = rules;
    }

    /** Adds the violations of the entities and users of one partition to a report. */
    void review(long job, int p, ObjectNode report) {
        shards.within(
                List.of(p),
                () -> {
                    reviewWithin(job, p, report);
                    return true;
                });
    }

    private void reviewWithin(long job, int p, ObjectNode report) {
        transactions.executeWithoutResult(
                _ -> {
                    LongReads.takeYourTime(jdbc);
                    RulesInForce current = rules.current();
                    for (NamespaceRules its : reviewKinds(job, p, strict(current), report)) {
                        reviewGroups(job, p, its, current, report);
                    }
                });
    }

    /** Returns the namespaces whose rules an entity or a user may break, by id. */
    private static Map<String, NamespaceRules> strict(RulesInForce current) {
        return current.configuration().namespaces().stream()
                .map(namespace -> Objects.requireNonNull(current.namespace(namespace.id())))
                .filter(
                        its ->
                                its.keys().size() > its.maxUniqReactions()
                                        || !its.groups().isEmpty())
                .collect(Collectors.toMap(its -> its.namespace().id(), its -> its));
    }

    /**
     * Scans the kinds of entities. Retired kinds take no place, here as in other rule checks.
     *
     * @return the rules of namespaces where an entity has kinds that exclude each other
     */
    private Set<NamespaceRules> reviewKinds(
            long job, int p, Map<String, NamespaceRules> strict, ObjectNode report) {
        var mixed = new LinkedHashSet<NamespaceRules>();
        jdbc.query(
                Narrowed.sql(
                        """
                select i.namespace, i.entity, c.kinds
                from  (select distinct namespace, entity from import_row
                       where  job_id = ? and p = ? and namespace = any (?)
                       order  by namespace, entity) i
                cross  join lateral
                      (select array_agg(x.name) as kinds
                       from   entity e
                       join   counter k on k.p = e.p /*on k.p*/ and k.entity_no = e.no
                       join   reaction_name x on x.no = k.reaction
                       where  e.namespace = i.namespace and e.entity = i.entity /*on e.p*/
                       and    x.name = any (?)) c
                where  c.kinds is not null
                order  by i.namespace, i.entity
                """),
                row -> {
                    String namespace = row.getString(1);
                    String entity = row.getString(2);
                    NamespaceRules its = Objects.requireNonNull(strict.get(namespace));
                    List<String> kinds = texts(row, 3).stream().filter(its::contains).toList();
                    if (kinds.size() > its.maxUniqReactions()) {
                        ReportSample.add(
                                report,
                                "max_uniq_reactions",
                                one ->
                                        one.put("namespace_id", namespace)
                                                .put("entity_id", entity)
                                                .put("kinds", kinds.size()));
                    }
                    if (!exclusive(kinds, its).isEmpty()) {
                        mixed.add(its);
                    }
                },
                job,
                p,
                Columns.texts(strict.keySet()),
                Columns.texts(
                        strict.values().stream()
                                .flatMap(its -> its.keys().stream())
                                .collect(Collectors.toSet())));
        return mixed;
    }

    private void reviewGroups(
            long job, int p, NamespaceRules its, RulesInForce current, ObjectNode report) {
        List<String> grouped =
                its.keys().stream().filter(key -> !its.excluded(key).isEmpty()).toList();
        String namespace = its.namespace().id();
        Object exclusives = Columns.texts(grouped);
        jdbc.query(
                Narrowed.sql(
                        """
                select i.entity, i.user_id, r.has
                from  (select distinct entity, user_id from import_row
                       where  job_id = ? and p = ? and namespace = ? and value = any (?)
                       order  by entity, user_id) i
                cross  join lateral
                      (select array_agg(x.name) as has
                       from   entity e
                       join   user_reaction u
                              on u.p = e.p /*on u.p*/ and u.user_id = i.user_id and u.entity_no = e.no
                       join   reaction_name x on x.no = u.reaction
                       where  e.namespace = ? and e.entity = i.entity /*on e.p*/
                       and    x.name = any (?)) r
                where  cardinality(r.has) > 1
                order  by i.entity, i.user_id
                """),
                row -> {
                    List<String> has = texts(row, 3);
                    List<String> exclusive = exclusive(has, its);
                    if (!exclusive.isEmpty()) {
                        note(
                                namespace,
                                row.getString(1),
                                row.getString(2),
                                exclusive.stream().map(current::spelling).toList(),
                                report);
                    }
                },
                job,
                p,
                namespace,
                exclusives,
                namespace,
                exclusives);
    }

    private static List<String> texts(ResultSet row, int column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }

    private static List<String> exclusive(List<String> has, NamespaceRules its) {
        return has.stream()
                .filter(key -> its.excluded(key).stream().anyMatch(has::contains))
                .sorted()
                .toList();
    }

    private static void note(
            String namespace,
            String entity,
            String user,
            List<String> reactions,
            ObjectNode report) {
        ReportSample.add(
                report,
                "mutually_exclusive_reactions",
                one -> {
                    one.put("namespace_id", namespace);
                    one.put("entity_id", entity);
                    one.put("user_id", user);
                    ArrayNode list = one.putArray("reactions");
                    reactions.forEach(list::add);
                });
    }
}
