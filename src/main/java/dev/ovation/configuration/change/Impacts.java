package dev.ovation.configuration.change;

import dev.ovation.configuration.change.BoundedCounts.Counted;
import dev.ovation.configuration.change.ImpactCounter.CountedKind;
import dev.ovation.configuration.change.ImpactCounter.ImpactNumbers;
import dev.ovation.rules.RuleSet;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;
import dev.ovation.web.problem.ProblemException;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import javax.sql.DataSource;

/**
 * Counts what a change of the configuration does to stored reactions. It counts committed ones. All
 * exact counts of a change together take at most 10 seconds; what does not fit is estimated from a
 * sample. One change is counted at a time.
 */
@Component
public class Impacts {

    private static final Duration SAMPLE = Duration.ofSeconds(10);

    private final JdbcTemplate jdbc;
    private final Shards shards;
    private final TransactionTemplate transactions;
    private final Duration budget;
    private final Duration sample;
    private final ReentrantLock counting = new ReentrantLock();

    @Autowired
    Impacts(
            DataSource database,
            PlatformTransactionManager manager,
            Shards shards,
            @Value("${ovation.internal.configuration.exact-counts:10s}") Duration budget) {
        this(database, manager, shards, budget, SAMPLE);
    }

    /**
     * Creates an instance.
     *
     * @param budget time of all exact counts of a change; zero for estimates only
     * @param sample time of each statement that reads a sample
     */
    Impacts(
            DataSource database,
            PlatformTransactionManager manager,
            Shards shards,
            Duration budget,
            Duration sample) {
        this.jdbc = new JdbcTemplate(database);
        this.shards = shards;
        this.transactions = new TransactionTemplate(manager);
        this.transactions.setReadOnly(true);
        this.budget = budget;
        this.sample = sample;
    }

    /**
     * Counts the impact of a change.
     *
     * @param spelling the spelling of a reaction, by its key
     * @return in the order of the namespaces before the change; empty when nothing stored is
     *     affected
     * @throws ProblemException 503 when Postgres cannot even read a sample in time
     */
    public List<Impact> of(RuleSet before, RuleSet after, UnaryOperator<String> spelling) {
        List<ChangedNamespace> changed = ChangedNamespace.between(before, after);
        if (changed.isEmpty()) {
            return List.of();
        }
        try {
            if (!counting.tryLock(budget.plus(sample).toMillis(), TimeUnit.MILLISECONDS)) {
                throw BoundedCounts.unavailable();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoundedCounts.unavailable();
        }
        try {
            return new ChangeReport(
                            new BoundedCounts(jdbc, shards, transactions, budget, sample),
                            changed,
                            spelling)
                    .read();
        } finally {
            counting.unlock();
        }
    }

    /** Returns the namespaces that hold reactions and would vanish. */
    public List<String> lost(RuleSet before, RuleSet after) {
        return holding(
                ChangedNamespace.between(before, after).stream()
                        .filter(ChangedNamespace::isRemoved)
                        .toList());
    }

    private List<String> holding(List<ChangedNamespace> namespaces) {
        if (namespaces.isEmpty()) {
            return List.of();
        }
        var holding = new LinkedHashSet<String>();
        shards.each(
                () ->
                        holding.addAll(
                                jdbc.queryForList(
                                        Narrowed.sql(
                                                """
                                                select namespace from unnest(?) as n (namespace)
                                                where  exists (
                                                           select from entity e
                                                           where  e.namespace = n.namespace
                                                           and    e.people > 0 /*on e.p*/)
                                                """),
                                        String.class,
                                        Columns.texts(namespaces, ChangedNamespace::id))));
        return List.copyOf(holding);
    }

    /** The counts of one change. */
    private final class ChangeReport {

        private final BoundedCounts counts;
        private final List<ChangedNamespace> changed;
        private final UnaryOperator<String> spelling;

        ChangeReport(
                BoundedCounts counts,
                List<ChangedNamespace> changed,
                UnaryOperator<String> spelling) {
            this.counts = counts;
            this.changed = changed;
            this.spelling = spelling;
        }

        List<Impact> read() {
            List<String> ids = changed.stream().map(ChangedNamespace::id).toList();
            Counted<List<GivenKind>> given = counts.ask(counter -> counter.given(ids));
            Map<String, List<GivenKind>> byNamespace =
                    given.value().stream().collect(Collectors.groupingBy(GivenKind::namespace));
            Map<String, ImpactNumbers> removed = removed(byNamespace);
            Map<String, ImpactNumbers> over = overLimit(byNamespace);
            Map<String, ImpactNumbers> exclusive = exclusive(byNamespace);
            var impacts = new ArrayList<Impact>();
            for (ChangedNamespace each : changed) {
                add(each.id(), Impact.REMOVED, removed, given.exact(), impacts);
                byNamespace.getOrDefault(each.id(), List.of()).stream()
                        .filter(one -> each.retires(one.key()))
                        .map(one -> retired(one, given.exact()))
                        .forEach(impacts::add);
                add(each.id(), Impact.OVER_LIMIT, over, given.exact(), impacts);
                add(each.id(), Impact.EXCLUSIVE, exclusive, given.exact(), impacts);
            }
            return List.copyOf(impacts);
        }

        private Impact retired(GivenKind given, boolean exact) {
            return new Impact(
                    given.namespace(),
                    Impact.RETIRED,
                    spelling.apply(given.key()),
                    given.entities(),
                    null,
                    given.reactions(),
                    exact);
        }

        private void add(
                String namespace,
                String kind,
                Map<String, ImpactNumbers> counts,
                boolean exact,
                List<Impact> impacts) {
            ImpactNumbers count = counts.get(namespace);
            if (count != null) {
                impacts.add(
                        new Impact(
                                namespace,
                                kind,
                                null,
                                count.entities(),
                                kind.equals(Impact.EXCLUSIVE) ? count.users() : null,
                                count.reactions(),
                                exact && count.exact()));
            }
        }

        /** A namespace that the sample missed holds at least one reaction. */
        private Map<String, ImpactNumbers> removed(Map<String, List<GivenKind>> given) {
            List<String> holding =
                    holding(changed.stream().filter(ChangedNamespace::isRemoved).toList());
            if (holding.isEmpty()) {
                return Map.of();
            }
            Map<String, ImpactNumbers> entities =
                    byNamespace(counts.ask(counter -> counter.held(holding)));
            return holding.stream()
                    .collect(
                            Collectors.toMap(
                                    id -> id,
                                    id -> {
                                        ImpactNumbers held = entities.get(id);
                                        long reactions =
                                                given.getOrDefault(id, List.of()).stream()
                                                        .mapToLong(GivenKind::reactions)
                                                        .sum();
                                        return new ImpactNumbers(
                                                id,
                                                held == null ? 1 : held.entities(),
                                                0,
                                                Math.max(1, reactions),
                                                held != null && held.exact() && reactions > 0);
                                    }));
        }

        private Map<String, ImpactNumbers> overLimit(Map<String, List<GivenKind>> given) {
            List<ChangedNamespace> tightened =
                    changed.stream().filter(each -> each.isTighter(of(each, given))).toList();
            List<CountedKind> kinds =
                    tightened.stream()
                            .flatMap(
                                    each ->
                                            each.counted(of(each, given)).stream()
                                                    .map(no -> new CountedKind(each.id(), no)))
                            .toList();
            return kinds.isEmpty()
                    ? Map.of()
                    : byNamespace(counts.ask(counter -> counter.overLimit(kinds, tightened)));
        }

        private Map<String, ImpactNumbers> exclusive(Map<String, List<GivenKind>> given) {
            var pairs =
                    changed.stream()
                            .flatMap(each -> each.newPairs(of(each, given)).stream())
                            .toList();
            return pairs.isEmpty()
                    ? Map.of()
                    : byNamespace(counts.ask(counter -> counter.exclusive(pairs)));
        }

        private static List<GivenKind> of(
                ChangedNamespace namespace, Map<String, List<GivenKind>> given) {
            return given.getOrDefault(namespace.id(), List.of());
        }

        private static Map<String, ImpactNumbers> byNamespace(
                Counted<List<ImpactNumbers>> counted) {
            return counted.value().stream()
                    .collect(Collectors.toMap(ImpactNumbers::namespace, Function.identity()));
        }
    }
}
