package dev.ovation.reaction;

import static java.util.stream.Collectors.toMap;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.RecentReactor;
import dev.ovation.reaction.view.Views;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.WriteOutcome;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionKey;
import dev.ovation.strategies.EntityLock;
import dev.ovation.strategies.Strategy;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The use cases on Postgres alone, behind the product's own HTTP form. A request uses one
 * connection; an addition is one transaction that begins with the lock of the entity. Idempotency
 * keys, versions and times are not supported.
 */
@Import({ReactionController.class, ReactionCalls.class})
public final class PostgresReactions implements Reactions {

    private static final Duration SOON = Duration.ofSeconds(1);

    private final Strategy strategy;
    private final RulesInForce rules;
    private final EntityLock lock;
    private final TransactionTemplate transaction;
    private final TransactionTemplate connection;

    public PostgresReactions(
            Strategy strategy,
            RulesInForce rules,
            EntityLock lock,
            PlatformTransactionManager manager) {
        this.strategy = strategy;
        this.rules = rules;
        this.lock = lock;
        transaction = new TransactionTemplate(manager);
        connection = new TransactionTemplate(manager);
        // No transaction, but one connection for all statements.
        connection.setPropagationBehavior(TransactionTemplate.PROPAGATION_SUPPORTS);
    }

    @Override
    public EntityView read(String namespace, String entity, String user) {
        if (rules.namespace(namespace) == null) {
            throw Problems.unknownNamespace(namespace);
        }
        try {
            return connection.execute(_ -> view(new EntityKey(namespace, entity), user));
        } catch (DataAccessException | TransactionException e) {
            throw Problems.unavailable("the entity cannot be read now", SOON);
        }
    }

    @Override
    public Completed write(Command command, boolean withState, Duration within) {
        if (command.kind() == ChangeKind.PUT) {
            throw notImplemented();
        }
        boolean adds = command.kind() == ChangeKind.ADD;
        var key = new EntityKey(command.namespace(), command.entity());
        try {
            return (adds ? transaction : connection)
                    .execute(
                            _ -> {
                                Change change = adds ? add(key, command) : remove(key, command);
                                return result(change, key, command, withState);
                            });
        } catch (DataAccessException | TransactionException e) {
            throw Problems.outcomeUnknown("the change was made or not", SOON);
        }
    }

    @Override
    public List<WriteOutcome> write(List<Command> commands) {
        throw notImplemented();
    }

    @Override
    public Map<EntityKey, RecentReactor.RecentReactorList> newestReactors(
            Collection<EntityKey> keys, int most) {
        throw notImplemented();
    }

    @Override
    public Map<EntityKey, PeopleOfState> people(
            Map<EntityKey, EntityView> views, String viewer, PeopleQuery query) {
        throw notImplemented();
    }

    /** Only operations that the strategies implement differently are compared. */
    private static ProblemException notImplemented() {
        return new ProblemException(
                ProblemCode.NOT_IMPLEMENTED, ProblemCode.NOT_IMPLEMENTED.title());
    }

    /** Keys of added and of removed reactions. */
    private record Change(List<String> added, List<String> removed) {}

    private Change remove(EntityKey key, Command command) {
        String reaction = ReactionKey.of(command.reaction());
        boolean removed = strategy.remove(key, command.user(), reaction);
        return new Change(List.of(), removed ? List.of(reaction) : List.of());
    }

    private Change add(EntityKey key, Command command) {
        NamespaceRules namespace = rules.namespace(command.namespace());
        if (namespace == null) {
            throw Problems.unknownNamespaceOnWrite(command.namespace());
        }
        String reaction = namespace.key(command.reaction());
        if (reaction == null) {
            throw Problems.unknownReaction(command.reaction(), command.namespace());
        }
        var views = new Views(rules, key);
        var seen = strategy.locked(lock, key, command.user());
        Map<String, Long> counts = seen.counts();
        List<String> own = seen.own();
        if (own.contains(reaction)) {
            if (command.existingIsFine()) {
                return new Change(List.of(), List.of());
            }
            throw Problems.reactionAlreadyExists(views.spelling(reaction), command.user());
        }
        List<String> conflicting =
                namespace.excluded(reaction).stream().filter(own::contains).toList();
        if (!conflicting.isEmpty() && !command.force()) {
            throw Problems.conflicting(views.spelling(reaction), views.spelled(conflicting));
        }
        checkLimit(namespace, without(conflicting, counts), counts.containsKey(reaction), reaction);
        conflicting.forEach(each -> strategy.remove(key, command.user(), each));
        strategy.add(key, command.user(), reaction);
        return new Change(List.of(reaction), conflicting);
    }

    private static Map<String, Long> without(List<String> removed, Map<String, Long> counts) {
        return counts.entrySet().stream()
                .filter(each -> each.getValue() > (removed.contains(each.getKey()) ? 1 : 0))
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static void checkLimit(
            NamespaceRules namespace, Map<String, Long> left, boolean shown, String reaction) {
        int limit = namespace.maxUniqReactions();
        long kinds = left.keySet().stream().filter(namespace::contains).count();
        if (limit == 0 || (!shown && kinds + 1 > limit)) {
            throw Problems.maxUniqReactions(limit);
        }
    }

    private Completed result(Change change, EntityKey key, Command command, boolean withState) {
        var views = new Views(rules, key);
        boolean applied = !(change.added.isEmpty() && change.removed.isEmpty());
        EntityView view = withState ? view(key, command.user()) : null;
        return new Completed(
                applied,
                views.spelled(change.added),
                views.spelled(change.removed),
                view == null ? List.of() : view.userReactions(),
                view);
    }

    private EntityView view(EntityKey key, String user) {
        var seen =
                user == null
                        ? new Strategy.Seen(strategy.shown(key), List.of())
                        : strategy.seen(key, user);
        List<Counter> counters =
                seen.counts().entrySet().stream()
                        .map(each -> new Counter(each.getKey(), each.getValue(), 0, 0))
                        .toList();
        return new Views(rules, key).view(0, 0, counters, user, seen.own());
    }
}
