package dev.ovation.reaction;

import dev.ovation.entity.Bound;
import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.people.PeopleReader;
import dev.ovation.reaction.read.NearCache;
import dev.ovation.reaction.read.NewestReactorReader;
import dev.ovation.reaction.read.ReactionReader;
import dev.ovation.reaction.view.EntityQuery;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.RecentReactor;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.WriteOutcome;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.reaction.write.WriteService;
import dev.ovation.web.problem.ProblemException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The use cases of reactions on Redis and Postgres. A write removes its entity from the cache. */
final class ReactionService implements Reactions {

    private final ReactionReader reader;
    private final NewestReactorReader reactors;
    private final WriteService writer;
    private final NearCache near;
    private final PeopleReader people;
    private final WriteCounters counters;

    ReactionService(
            ReactionReader reader,
            NewestReactorReader reactors,
            WriteService writer,
            NearCache near,
            PeopleReader people,
            WriteCounters counters) {
        this.reader = reader;
        this.reactors = reactors;
        this.writer = writer;
        this.near = near;
        this.people = people;
        this.counters = counters;
    }

    @Override
    public EntityView read(String namespace, String entity, @Nullable String user) {
        return reader.read(namespace, entity, user);
    }

    @Override
    public List<EntityView> read(EntityQuery query) {
        return reader.read(query);
    }

    @Override
    public Completed write(Command command, boolean withState, Duration within) {
        try {
            Completed done = writer.write(command, withState, within);
            counters.count(command.namespace(), done);
            return done;
        } catch (RuntimeException e) {
            counters.countFailure(command.namespace(), e);
            throw e;
        } finally {
            near.forget(command.entityKey());
        }
    }

    @Override
    public List<WriteOutcome> write(List<Command> commands) {
        return write(commands, _ -> true);
    }

    @Override
    public List<WriteOutcome> tryWrite(List<Command> commands) {
        return write(
                commands,
                failure ->
                        !(failure instanceof ProblemException problem
                                && problem.bound() == Bound.PERMITS));
    }

    private List<WriteOutcome> write(
            List<Command> commands, Predicate<RuntimeException> isCounted) {
        try {
            List<WriteOutcome> outcomes = writer.write(commands);
            for (int i = 0; i < commands.size(); i++) {
                counters.count(commands.get(i).namespace(), outcomes.get(i));
            }
            return outcomes;
        } catch (RuntimeException e) {
            if (isCounted.test(e)) {
                commands.forEach(command -> counters.countFailure(command.namespace(), e));
            }
            throw e;
        } finally {
            commands.forEach(command -> near.forget(command.entityKey()));
        }
    }

    @Override
    public Map<EntityKey, RecentReactor.RecentReactorList> newestReactors(
            Collection<EntityKey> keys, int most) {
        return reactors.newest(keys, most);
    }

    @Override
    public Map<EntityKey, PeopleOfState> people(
            Map<EntityKey, EntityView> views, @Nullable String viewer, PeopleQuery query) {
        return people.of(views, viewer, query);
    }
}
