package dev.ovation.reaction;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.PeopleJson;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.ReactionCount;
import dev.ovation.reaction.view.RecentReactor;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.WriteOutcome;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The use cases in memory, for tests of their HTTP form: namespace {@code namespace}, at most 5
 * kinds of reactions, {@code reaction2} excludes {@code reaction1} and {@code reaction3}. Stores
 * the last command; a test may set its answer.
 */
final class FakeReactions implements Reactions {

    private static final Set<String> EXCLUSIVE =
            Set.of(
                    "reaction1 reaction2",
                    "reaction2 reaction1",
                    "reaction2 reaction3",
                    "reaction3 reaction2");

    private final Map<String, Map<String, List<String>>> usersByEntity = new HashMap<>();

    /** How many batches have begun. */
    final AtomicInteger batches = new AtomicInteger();

    /** Batches wait for it. */
    volatile CountDownLatch batchesMayEnd = new CountDownLatch(0);

    @Nullable Command lastCommand;
    @Nullable EntityView nextView;
    @Nullable RuntimeException nextFailure;

    synchronized void forget() {
        usersByEntity.clear();
        lastCommand = null;
        nextView = null;
        nextFailure = null;
    }

    @Override
    public synchronized EntityView read(String namespace, String entity, @Nullable String user) {
        if (nextView != null) {
            EntityView view = nextView;
            nextView = null;
            return view;
        }
        if (!namespace.equals("namespace")) {
            throw Problems.unknownNamespace(namespace);
        }
        Map<String, List<String>> users = users(entity);
        Map<String, Long> counts = new LinkedHashMap<>();
        users.values().forEach(all -> all.forEach(each -> counts.merge(each, 1L, Long::sum)));
        List<ReactionCount> ordered =
                counts.entrySet().stream()
                        .sorted((a, b) -> Long.compare(b.getValue(), a.getValue()))
                        .map(each -> count(each.getKey(), each.getValue()))
                        .toList();
        List<String> own = user == null ? List.of() : users.getOrDefault(user, List.of());
        return new EntityView(entity, "1.7", ordered, user, List.copyOf(own), 0);
    }

    @Override
    public List<WriteOutcome> write(List<Command> commands) {
        batches.incrementAndGet();
        try {
            batchesMayEnd.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return commands.stream().map(this::outcome).toList();
    }

    private WriteOutcome outcome(Command command) {
        try {
            return write(command, false);
        } catch (ProblemException problem) {
            return new WriteOutcome.Problematic(problem);
        }
    }

    /** Returns no reactors, because the fake has no times. */
    @Override
    public synchronized Map<EntityKey, RecentReactor.RecentReactorList> newestReactors(
            Collection<EntityKey> keys, int most) {
        return Map.of();
    }

    /** Returns the totals alone, because the fake has no users to show. */
    @Override
    public synchronized Map<EntityKey, PeopleOfState> people(
            Map<EntityKey, EntityView> views, @Nullable String viewer, PeopleQuery query) {
        Map<EntityKey, PeopleOfState> people = new HashMap<>();
        views.forEach(
                (key, view) -> {
                    var json = new PeopleJson(view.people(), null, List.of(), null);
                    people.put(key, new PeopleOfState(Long.MAX_VALUE, json));
                });
        return people;
    }

    @Override
    public synchronized Completed write(Command command, boolean withState, Duration within) {
        lastCommand = command;
        if (nextFailure != null) {
            RuntimeException failure = nextFailure;
            nextFailure = null;
            throw failure;
        }
        List<String> own =
                users(command.entity()).computeIfAbsent(command.user(), any -> new ArrayList<>());
        return switch (command.kind()) {
            case ADD -> add(command, own);
            case REMOVE -> remove(command, own);
            case PUT -> put(command, own);
        };
    }

    private Completed remove(Command command, List<String> own) {
        boolean removed = own.remove(command.reaction());
        return result(
                command, removed, List.of(), removed ? List.of(command.reaction()) : List.of());
    }

    private Completed put(Command command, List<String> own) {
        List<String> removed = new ArrayList<>(own);
        removed.removeAll(command.reactions());
        List<String> added = new ArrayList<>(command.reactions());
        added.removeAll(own);
        own.removeAll(removed);
        own.addAll(added);
        return result(command, !(added.isEmpty() && removed.isEmpty()), added, removed);
    }

    private Completed add(Command command, List<String> own) {
        if (!command.namespace().equals("namespace")) {
            throw Problems.unknownNamespaceOnWrite(command.namespace());
        }
        if (own.contains(command.reaction())) {
            if (command.existingIsFine()) {
                return result(command, false, List.of(), List.of());
            }
            throw Problems.reactionAlreadyExists(command.reaction(), command.user());
        }
        List<String> conflicting =
                own.stream()
                        .filter(each -> EXCLUSIVE.contains(each + " " + command.reaction()))
                        .toList();
        if (!conflicting.isEmpty() && !command.force()) {
            throw Problems.conflicting(command.reaction(), conflicting);
        }
        Set<String> kinds = new HashSet<>();
        users(command.entity()).values().forEach(kinds::addAll);
        kinds.removeAll(conflicting);
        kinds.add(command.reaction());
        if (kinds.size() > 5) {
            throw Problems.maxUniqReactions(5);
        }
        own.removeAll(conflicting);
        own.add(command.reaction());
        return result(command, true, List.of(command.reaction()), conflicting);
    }

    private Completed result(
            Command command, boolean applied, List<String> added, List<String> removed) {
        EntityView view = read("namespace", command.entity(), command.user());
        return new Completed(applied, added, removed, view.userReactions(), view);
    }

    private Map<String, List<String>> users(String entity) {
        return usersByEntity.computeIfAbsent(entity, any -> new LinkedHashMap<>());
    }

    private static ReactionCount count(String reaction, long count) {
        return new ReactionCount(
                reaction, count, 1_700_000_000_123_999L, 1_700_000_060_000_000L, false, null);
    }
}
