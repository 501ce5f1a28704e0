package dev.ovation.reaction.read;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.EntityState;
import dev.ovation.hot.HotEntities;
import dev.ovation.hot.HotRead;
import dev.ovation.store.EntitySnapshot;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.Snapshots;
import dev.ovation.store.Snapshots.Wanted;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/**
 * The states of entities: from Redis while that can tell, else from Postgres.
 *
 * @param partitions which partition is whose
 * @param hot Redis, which loads what is missing
 * @param snapshots Postgres
 * @param gate bounds what is asked of Postgres
 */
public record States(
        Partitions partitions, HotEntities hot, Snapshots snapshots, PostgresGate gate) {

    /** Entities of one request that are loaded at the same time. */
    private static final int TOGETHER = 8;

    /** Tells what is known of an entity. */
    @FunctionalInterface
    interface Known {
        @Nullable EntityState of(EntityKey key);
    }

    /** What Redis has of some entities, and of which of the others it cannot tell. */
    private record Found(Map<EntityKey, EntityState> hot, Set<EntityKey> unknown) {}

    /** Reads one entity, as {@link #all}. */
    EntityState one(EntityKey key, @Nullable String user, @Nullable EntityState known) {
        return user == null
                ? only(all(List.of(key), null, _ -> null))
                : load(key, user, known).orElseGet(() -> only(committed(List.of(key), user)));
    }

    private static EntityState only(Map<EntityKey, EntityState> states) {
        return states.values().iterator().next();
    }

    /**
     * Reads many entities: the hot ones in one round trip, those that are missing some at a time,
     * each of which takes its lease when its turn comes, and those that Redis cannot tell of by one
     * statement.
     *
     * @param keys each once
     * @param user whose reactions are wanted; null for nobody's
     * @param known what is known of an entity, or null, see {@link HotEntities#begin}
     * @return a state for each key
     */
    Map<EntityKey, EntityState> all(
            Collection<EntityKey> keys, @Nullable String user, Known known) {
        Found found = user == null ? counted(keys) : seen(keys, user, known);
        Map<EntityKey, EntityState> states = new HashMap<>(found.hot);
        states.putAll(
                together(
                        without(states, keys).filter(key -> !found.unknown.contains(key)).toList(),
                        key -> load(key, user, known.of(key))));
        states.putAll(committed(without(states, keys).toList(), user));
        return states;
    }

    private static Stream<EntityKey> without(
            Map<EntityKey, EntityState> states, Collection<EntityKey> keys) {
        return keys.stream().filter(key -> !states.containsKey(key));
    }

    private Found counted(Collection<EntityKey> keys) {
        return hot.counts(partitions, keys)
                .map(states -> new Found(states, Set.of()))
                .orElseGet(() -> new Found(Map.of(), Set.copyOf(keys)));
    }

    private Found seen(Collection<EntityKey> keys, String user, Known known) {
        Map<EntityKey, HotRead> looks = new LinkedHashMap<>();
        for (EntityKey key : keys) {
            looks.put(key, hot.look(partitions.of(key), key, user, known.of(key)));
        }
        var found = new Found(new HashMap<>(), new HashSet<>());
        looks.forEach(
                (key, read) -> {
                    switch (read.look()) {
                        case HOT -> read.state().ifPresent(state -> found.hot.put(key, state));
                        case UNKNOWN -> found.unknown.add(key);
                        case MISSING -> {}
                    }
                });
        return found;
    }

    /**
     * Reads some at a time. After a failure no more are begun; those under way end by themselves,
     * because an interruption would cost them their connections to Postgres.
     */
    private static Map<EntityKey, EntityState> together(
            List<EntityKey> keys, Function<EntityKey, Optional<EntityState>> read) {
        Map<EntityKey, EntityState> states = new ConcurrentHashMap<>();
        var failure = new AtomicReference<@Nullable RuntimeException>();
        keys.stream()
                .gather(
                        Gatherers.mapConcurrent(
                                TOGETHER,
                                key -> {
                                    if (failure.get() == null) {
                                        try {
                                            read.apply(key)
                                                    .ifPresent(state -> states.put(key, state));
                                        } catch (RuntimeException e) {
                                            failure.compareAndSet(null, e);
                                        }
                                    }
                                    return key;
                                }))
                .forEach(_ -> {});
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        return states;
    }

    private Optional<EntityState> load(
            EntityKey key, @Nullable String user, @Nullable EntityState known) {
        return hot.begin(partitions.of(key), key, user, known).state();
    }

    private Map<EntityKey, EntityState> committed(List<EntityKey> keys, @Nullable String user) {
        if (keys.isEmpty()) {
            return Map.of();
        }
        List<Wanted> wanted =
                keys.stream().map(key -> new Wanted(partitions.of(key), key, user)).toList();
        Map<EntityKey, EntityState> states = new HashMap<>();
        var found = gate.ask(() -> snapshots.entities(wanted, 0)).iterator();
        wanted.forEach(each -> states.put(each.key(), state(found.next(), user)));
        return states;
    }

    private static EntityState state(EntitySnapshot found, @Nullable String user) {
        List<String> own = user == null ? List.of() : found.users().getOrDefault(user, List.of());
        return new EntityState(found.epoch(), found.version(), found.op(), found.counters(), own);
    }
}
