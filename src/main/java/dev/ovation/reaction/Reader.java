package dev.ovation.reaction;

import dev.ovation.configuration.Rules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.EntityState;
import dev.ovation.hot.HotEntities;
import dev.ovation.store.EntitySnapshot;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.Snapshots;
import dev.ovation.web.Permits;
import dev.ovation.web.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.List;

/** Reads an entity: from Redis while that can tell, else from Postgres. */
final class Reader {

    private final Rules rules;
    private final Partitions partitions;
    private final HotEntities hot;
    private final Snapshots snapshots;
    private final PostgresGate gate;
    private final Permits permits;

    Reader(
            Rules rules,
            Partitions partitions,
            HotEntities hot,
            Snapshots snapshots,
            PostgresGate gate,
            Permits permits) {
        this.rules = rules;
        this.partitions = partitions;
        this.hot = hot;
        this.snapshots = snapshots;
        this.gate = gate;
        this.permits = permits;
    }

    EntityView read(String namespace, String entity, @Nullable String user) {
        try (var _ = permits.take()) {
            var key = new EntityKey(namespace, entity);
            return read(key, user, rules.knowing(namespace));
        } catch (DataAccessException e) {
            throw Problems.unavailable("the entity cannot be read now", Duration.ofSeconds(1));
        }
    }

    private EntityView read(EntityKey key, @Nullable String user, RulesInForce current) {
        int p = partitions.of(key);
        var views = new Views(current, key);
        EntityState state = hot.read(p, key, user).orElse(null);
        if (state != null) {
            return views.view(state.epoch(), state.version(), state.counters(), user, state.own());
        }
        EntitySnapshot committed = gate.ask(() -> snapshots.entity(p, key, user, 0));
        List<String> own =
                user == null ? List.of() : committed.users().getOrDefault(user, List.of());
        return views.view(committed.epoch(), committed.version(), committed.counters(), user, own);
    }
}
