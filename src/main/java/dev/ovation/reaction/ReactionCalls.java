package dev.ovation.reaction;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.EntityKey;
import dev.ovation.limit.Caller;
import dev.ovation.limit.CallerBulkhead;
import dev.ovation.reaction.view.EntityQuery;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.ReactionCount;
import dev.ovation.reaction.view.RecentReactor.RecentReactorList;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.IfMatch;
import dev.ovation.reaction.write.WriteOutcome;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.rules.ReactionKey;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdempotencyHeader;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.TextFields;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The interface of this package for other modules and protocols: each use case with its scopes, its
 * costs and the bounds of its caller.
 */
@Component
public final class ReactionCalls {

    /** A time for writes that only the settings bound. */
    public static final Duration ANY_TIME = Duration.ofDays(1);

    private final Reactions reactions;
    private final CallerBulkhead writesOfCallers;

    ReactionCalls(Reactions reactions, CallerBulkhead writesOfCallers) {
        this.reactions = reactions;
        this.writesOfCallers = writesOfCallers;
    }

    /**
     * An entity that was read.
     *
     * @param people null where the call did not ask for them
     */
    public record EntityRead(
            String namespace, EntityView view, boolean details, @Nullable PeopleOfState people) {

        /** Returns whether the view is that of a viewer. */
        boolean isOfViewer() {
            return view.user() != null;
        }
    }

    /**
     * The entities of a screen.
     *
     * @param views one view for each item of the query, in the same order
     * @param reactors newest reactors by entity, if the query wants any
     * @param people people by entity, if the query wants them
     */
    public record ScreenRead(
            EntityQuery query,
            List<EntityView> views,
            Map<EntityKey, RecentReactorList> reactors,
            Map<EntityKey, PeopleOfState> people) {}

    /**
     * Reads an entity, as {@code GET /reactions} does.
     *
     * @throws ProblemException when the call is malformed or not allowed, or cannot be answered now
     */
    public EntityRead read(TextFields fields, Caller caller) {
        RequestReader.Read wish = RequestReader.read(fields, caller.who());
        caller.user(wish.user());
        PeopleQuery query = wish.people();
        demandCrowds(query, caller);
        EntityView view = reactions.read(wish.namespace(), wish.entity(), wish.user());
        if (query == null) {
            return new EntityRead(wish.namespace(), view, wish.details(), null);
        }
        var key = new EntityKey(wish.namespace(), wish.entity());
        var people = reactions.people(Map.of(key, view), wish.user(), query);
        return new EntityRead(wish.namespace(), view, wish.details(), people.get(key));
    }

    /**
     * Reads a screen, as {@code POST /reactions/query} does.
     *
     * @param body what that request has as its body
     * @throws ProblemException when the call is malformed or not allowed, or cannot be answered now
     */
    public ScreenRead query(JsonBody body, Caller caller) {
        return query(QueryReader.read(body, caller.who()), caller);
    }

    ScreenRead query(EntityQuery query, Caller caller) {
        if (query.reactors() > 0) {
            caller.demand(Scope.CROWDS_READ);
        }
        demandCrowds(query.people(), caller);
        caller.entities("entities", query.items().size(), query.viewer());
        List<EntityView> views = reactions.read(query);
        return new ScreenRead(query, views, newestReactors(query, views), people(query, views));
    }

    private static void demandCrowds(@Nullable PeopleQuery people, Caller caller) {
        if (people != null && people.tellsUsers()) {
            caller.demand(Scope.CROWDS_READ);
        }
    }

    private Map<EntityKey, RecentReactorList> newestReactors(
            EntityQuery query, List<EntityView> views) {
        Set<EntityKey> keys = query.reactors() > 0 ? unknown(query, views).keySet() : Set.of();
        return keys.isEmpty() ? Map.of() : reactions.newestReactors(keys, query.reactors());
    }

    private Map<EntityKey, PeopleOfState> people(EntityQuery query, List<EntityView> views) {
        PeopleQuery people = query.people();
        return people == null
                ? Map.of()
                : reactions.people(unknown(query, views), query.viewer(), people);
    }

    /** Returns the entities that the client does not have. */
    private static Map<EntityKey, EntityView> unknown(EntityQuery query, List<EntityView> views) {
        Map<EntityKey, EntityView> unknown = new LinkedHashMap<>();
        for (int i = 0; i < views.size(); i++) {
            if (!query.items().get(i).has(views.get(i))) {
                unknown.put(query.items().get(i).key(), views.get(i));
            }
        }
        return unknown;
    }

    /**
     * Reads the change of one reaction.
     *
     * @param ids namespace_id, entity_id, user_id and reaction_id
     * @param attributes an object; null for none
     * @param key value of the idempotency key; null for none
     * @throws ProblemException when the call is malformed or not allowed
     */
    public static Command command(
            ChangeKind kind,
            TextFields ids,
            @Nullable JsonNode attributes,
            boolean force,
            boolean existingIsFine,
            @Nullable String key,
            Principal who) {
        return RequestReader.command(
                kind,
                ids,
                attributes,
                force,
                existingIsFine,
                violations -> checked(key, violations),
                who,
                new RequestViolations());
    }

    /**
     * Reads a whole set of reactions.
     *
     * @param body what {@code PUT /reactions} has as its body
     * @param key value of the idempotency key; null for none
     * @throws ProblemException when the call is malformed or not allowed
     */
    public static Command set(JsonBody body, @Nullable String key, Principal who) {
        return RequestReader.put(
                body,
                violations -> checked(key, violations),
                (version, _) -> IfMatch.version(version),
                who);
    }

    private static @Nullable String checked(@Nullable String key, RequestViolations violations) {
        return key == null ? null : IdempotencyHeader.check("idempotency_key", key, violations);
    }

    /**
     * Makes a change; returns once the change, if any, is committed.
     *
     * @param withState whether the result must have the state of the entity
     * @param within time after which the outcome is reported as unknown, if it is shorter than that
     *     of the settings
     * @throws ProblemException when the change is refused, or when its outcome is unknown
     */
    public Completed write(Command command, boolean withState, Duration within, Caller caller) {
        caller.user(command.user());
        try (var _ = writesOfCallers.take(caller.who())) {
            return reactions.write(command, withState, within);
        }
    }

    /**
     * Makes many changes, those of one entity in order; returns once every outcome is known.
     *
     * @param operations number of operations that the caller sent, refused ones included
     * @return in the order of the commands; without entities
     * @throws ProblemException when nothing was done
     */
    public List<WriteOutcome> write(int operations, List<Command> commands, Caller caller) {
        caller.operations("operations", operations, commands, Command::user);
        if (commands.isEmpty() && operations > 0) {
            return List.of();
        }
        try (var _ = writesOfCallers.take(caller.who(), commands.size())) {
            return reactions.write(commands);
        }
    }

    /**
     * Makes changes, which have been charged, as {@link #write(int, List, Caller)} does. Where
     * permits are short, the attempt does not count as a write, because the caller repeats it.
     *
     * @throws ProblemException when nothing was done
     */
    public List<WriteOutcome> tryWrite(List<Command> commands, Principal who) {
        try (var _ = writesOfCallers.take(who, commands.size())) {
            return reactions.tryWrite(commands);
        }
    }

    /**
     * Adds a reaction, as {@code POST /reactions} does; its ids are well-formed.
     *
     * @throws ProblemException when the reaction is refused, for instance because it exists, or
     *     when its outcome is unknown
     */
    public void add(EntityKey key, String user, String reaction) {
        var command =
                new Command(
                        ChangeKind.ADD,
                        key.namespace(),
                        key.entity(),
                        user,
                        reaction,
                        false,
                        false,
                        null);
        var _ = reactions.write(command, false);
    }

    /**
     * Returns whether the user has this reaction, own acknowledged changes included.
     *
     * @throws ProblemException when there is no such namespace, or the entity cannot be read now
     */
    public boolean has(EntityKey key, String user, String reaction) {
        return reactions.read(key.namespace(), key.entity(), user).userReactions().stream()
                .anyMatch(each -> same(each, reaction));
    }

    /**
     * Returns how many users have this reaction, in the view without a viewer.
     *
     * @throws ProblemException when there is no such namespace, or the entity cannot be read now
     */
    public long count(EntityKey key, String reaction) {
        return reactions.read(key.namespace(), key.entity(), null).counts().stream()
                .filter(each -> same(each.reaction(), reaction))
                .mapToLong(ReactionCount::count)
                .sum();
    }

    private static boolean same(String spelled, String reaction) {
        return ReactionKey.of(spelled).equals(ReactionKey.of(reaction));
    }
}
