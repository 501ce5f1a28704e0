package dev.ovation.reaction;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.EntityState;
import dev.ovation.hot.HotEntities;
import dev.ovation.hot.HotRead;
import dev.ovation.store.EntitySnapshot;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.Snapshots;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Gatherers;

/**
 * The states of entities: from Redis while that can tell, else from Postgres.
 *
 * @param partitions which partition is whose
 * @param hot Redis, which loads what is missing
 * @param snapshots Postgres
 * @param gate bounds what is asked of Postgres
 */
record States(Partitions partitions, HotEntities hot, Snapshots snapshots, PostgresGate gate) {

    /** Entities of one request that are loaded, or asked of Postgres, at the same time. */
    private static final int TOGETHER = 8;

    /** Reads one entity, as {@link #all}. */
    EntityState one(EntityKey key, @Nullable String user, @Nullable EntityState known) {
        return user == null
                ? Objects.requireNonNull(all(List.of(key), null, _ -> null).get(key))
                : finish(begin(key, user, known), user);
    }

    private record Begun(EntityKey key, HotRead read) {}

    /** Tells what is known of an entity. */
    @FunctionalInterface
    interface Known {
        @Nullable EntityState of(EntityKey key);
    }

    /**
     * Reads many entities: the hot ones in one round trip, the others some at a time.
     *
     * @param keys each once
     * @param user whose reactions are wanted; null for nobody's
     * @param known what is known of an entity, or null, see {@link HotEntities#begin}
     * @return a state for each key
     */
    Map<EntityKey, EntityState> all(
            Collection<EntityKey> keys, @Nullable String user, Known known) {
        Map<EntityKey, EntityState> states = new HashMap<>();
        if (user == null) {
            states.putAll(hot.counts(partitions, keys));
        }
        var begun = new ArrayList<Begun>(keys.size());
        for (EntityKey key : keys) {
            if (!states.containsKey(key)) {
                begun.add(begin(key, user, known.of(key)));
            }
        }
        var cold = new ArrayList<Begun>();
        for (Begun each : begun) {
            if (each.read.isHot()) {
                states.put(each.key, finish(each, user));
            } else {
                cold.add(each);
            }
        }
        cold.stream()
                .gather(
                        Gatherers.mapConcurrent(
                                TOGETHER, each -> Map.entry(each.key, finish(each, user))))
                .forEach(each -> states.put(each.getKey(), each.getValue()));
        return states;
    }

    private Begun begin(EntityKey key, @Nullable String user, @Nullable EntityState known) {
        return new Begun(key, hot.begin(partitions.of(key), key, user, known));
    }

    private EntityState finish(Begun begun, @Nullable String user) {
        return begun.read.state().orElseGet(() -> committed(begun.key, user));
    }

    private EntityState committed(EntityKey key, @Nullable String user) {
        int p = partitions.of(key);
        EntitySnapshot found = gate.ask(() -> snapshots.entity(p, key, user, 0));
        List<String> own = user == null ? List.of() : found.users().getOrDefault(user, List.of());
        return new EntityState(found.epoch(), found.version(), found.op(), found.counters(), own);
    }
}
