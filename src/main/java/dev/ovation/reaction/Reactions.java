package dev.ovation.reaction;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.EntityQuery;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.Reactor;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.Outcome;
import dev.ovation.reaction.write.WriteResult;
import dev.ovation.web.problem.ProblemException;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The use cases of reactions. */
interface Reactions {

    /**
     * What an entity shows.
     *
     * @param user whose reactions are wanted too, or null
     * @throws ProblemException when there is no such namespace, or it cannot be read now
     */
    EntityView read(String namespace, String entity, @Nullable String user);

    /**
     * What many entities show.
     *
     * @return in the order of the query's items
     * @throws ProblemException when there is no such namespace, or one cannot be read now
     */
    default List<EntityView> read(EntityQuery query) {
        return query.items().stream()
                .map(item -> read(item.key().namespace(), item.key().entity(), query.viewer()))
                .toList();
    }

    /**
     * Changes one user's reactions to one entity; returns once the change, if any, is durable.
     *
     * @param withState whether the result's entity must hold counts and the user's reactions
     * @throws ProblemException when it is refused, or when its outcome is not known
     */
    WriteResult write(Command command, boolean withState);

    /**
     * Makes many changes, those of one entity in order; returns once what became of each is known.
     *
     * @return in the order of the commands; without entities
     * @throws ProblemException when nothing was done
     */
    List<Outcome> write(List<Command> commands);

    /**
     * Who reacted last.
     *
     * @param most how many users of each entity, the newest first
     * @return as it is committed; entities that nobody reacted to may be missing
     * @throws ProblemException when it cannot be read now
     */
    Map<EntityKey, Reactor.Newest> newestReactors(Collection<EntityKey> keys, int most);
}
