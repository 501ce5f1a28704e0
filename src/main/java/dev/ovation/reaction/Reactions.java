package dev.ovation.reaction;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.EntityQuery;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.RecentReactor;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.WriteOutcome;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.web.problem.ProblemException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The use cases of reactions. */
interface Reactions {

    /**
     * Reads the view of an entity.
     *
     * @param user viewer, or null
     * @throws ProblemException when there is no such namespace, or the entity cannot be read now
     */
    EntityView read(String namespace, String entity, @Nullable String user);

    /**
     * Reads the views of many entities.
     *
     * @return in the order of the query's items
     * @throws ProblemException when there is no such namespace, or an entity cannot be read now
     */
    default List<EntityView> read(EntityQuery query) {
        return query.items().stream()
                .map(item -> read(item.key().namespace(), item.key().entity(), query.viewer()))
                .toList();
    }

    /**
     * Changes one user's reactions to one entity; returns once the change, if any, is durable.
     *
     * @param withState whether the result must have the state of the entity
     * @throws ProblemException when the change is refused, or when its outcome is unknown
     */
    default Completed write(Command command, boolean withState) {
        return write(command, withState, ReactionCalls.ANY_TIME);
    }

    /**
     * Changes as {@link #write(Command, boolean)} does.
     *
     * @param within time after which the outcome is reported as unknown, if it is shorter than that
     *     of the settings
     */
    Completed write(Command command, boolean withState, Duration within);

    /**
     * Makes many changes, those of one entity in order; returns once every outcome is known.
     *
     * @return in the order of the commands; without entities
     * @throws ProblemException when nothing was done
     */
    List<WriteOutcome> write(List<Command> commands);

    /**
     * Makes changes as {@link #write(List)} does, for a caller that repeats them where permits are
     * short: these attempts do not count as writes.
     */
    default List<WriteOutcome> tryWrite(List<Command> commands) {
        return write(commands);
    }

    /**
     * Reads the newest reactors of entities.
     *
     * @param most users of each entity at most, the newest first
     * @return committed reactors; entities without reactions may be missing
     * @throws ProblemException when the reactors cannot be read now
     */
    Map<EntityKey, RecentReactor.RecentReactorList> newestReactors(
            Collection<EntityKey> keys, int most);

    /**
     * Reads the people of entities.
     *
     * @param views views of the entities, just read
     * @param viewer user whose friends are meant; not null when the query asks for friends
     * @return the people of each entity; users as they are committed
     * @throws ProblemException when the people cannot be read now
     */
    Map<EntityKey, PeopleOfState> people(
            Map<EntityKey, EntityView> views, @Nullable String viewer, PeopleQuery query);
}
