package dev.ovation.reaction.read;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.Reactor;
import dev.ovation.reaction.view.Reactor.Newest;
import dev.ovation.reaction.view.Reactor.Reacted;
import dev.ovation.reaction.view.Views;
import dev.ovation.store.NewestReactors;
import dev.ovation.store.NewestReactors.Row;
import dev.ovation.store.PostgresGate;

import org.springframework.dao.DataAccessException;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who reacted last, as it is committed: always from Postgres, for a whole screen at once. */
public record Reactors(CurrentRules rules, NewestReactors table, PostgresGate gate) {

    /**
     * Who reacted last.
     *
     * @param most how many users of each entity, the newest first
     * @return entities that nobody reacted to may be missing
     * @throws DataAccessException when Postgres cannot be asked now
     */
    public Map<EntityKey, Newest> newest(Collection<EntityKey> keys, int most) {
        RulesInForce current = rules.current();
        Map<EntityKey, Newest> newest = new HashMap<>();
        gate.ask(() -> table.of(keys, most))
                .forEach(
                        (key, found) -> {
                            List<Reactor> users = users(found.rows(), new Views(current, key));
                            newest.put(key, new Newest(found.version(), users));
                        });
        return newest;
    }

    private static List<Reactor> users(List<Row> rows, Views views) {
        Map<String, List<Reacted>> users = new LinkedHashMap<>();
        for (Row row : rows) {
            users.computeIfAbsent(row.user(), _ -> new ArrayList<>())
                    .add(new Reacted(views.spelling(row.reaction()), row.at()));
        }
        return users.entrySet().stream()
                .map(user -> new Reactor(user.getKey(), user.getValue()))
                .toList();
    }
}
