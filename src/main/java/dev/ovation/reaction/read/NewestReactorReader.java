package dev.ovation.reaction.read;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.read.NewestReactors.StoredReactor;
import dev.ovation.reaction.view.RecentReactor;
import dev.ovation.reaction.view.RecentReactor.Reacted;
import dev.ovation.reaction.view.RecentReactor.RecentReactorList;
import dev.ovation.reaction.view.Views;
import dev.ovation.store.postgres.PostgresBulkhead;

import org.springframework.dao.DataAccessException;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The newest committed reactors: always from Postgres, for a whole screen at once. */
public record NewestReactorReader(CurrentRules rules, NewestReactors table, PostgresBulkhead gate) {

    /**
     * Reads the newest reactors of entities.
     *
     * @param most users of each entity at most, the newest first
     * @return reactors by entity; entities without reactions may be missing
     * @throws DataAccessException when Postgres cannot be read now
     */
    public Map<EntityKey, RecentReactorList> newest(Collection<EntityKey> keys, int most) {
        RulesInForce current = rules.current();
        Map<EntityKey, RecentReactorList> newest = new HashMap<>();
        gate.ask(() -> table.of(keys, most))
                .forEach(
                        (key, found) -> {
                            List<RecentReactor> users =
                                    users(found.rows(), new Views(current, key));
                            newest.put(key, new RecentReactorList(found.version(), users));
                        });
        return newest;
    }

    private static List<RecentReactor> users(List<StoredReactor> rows, Views views) {
        Map<String, List<Reacted>> users = new LinkedHashMap<>();
        for (StoredReactor row : rows) {
            users.computeIfAbsent(row.user(), _ -> new ArrayList<>())
                    .add(new Reacted(views.spelling(row.reaction()), row.at()));
        }
        return users.entrySet().stream()
                .map(user -> new RecentReactor(user.getKey(), user.getValue()))
                .toList();
    }
}
