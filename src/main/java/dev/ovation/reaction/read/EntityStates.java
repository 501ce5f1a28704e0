package dev.ovation.reaction.read;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.HotEntities;
import dev.ovation.hot.run.HotRead;
import dev.ovation.hot.state.EntityState;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.store.snapshot.Snapshots;
import dev.ovation.store.snapshot.Snapshots.Wanted;
import dev.ovation.trace.TraceSpan;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
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
 * The states of entities: from Redis while Redis knows them, otherwise from Postgres.
 *
 * @param partitions function from entities to partitions
 * @param hot Redis, which loads missing entities
 * @param snapshots Postgres
 * @param gate bulkhead of Postgres
 */
public record EntityStates(
        Partitions partitions, HotEntities hot, Snapshots snapshots, PostgresBulkhead gate) {

    /** Entities of one request that are loaded at the same time. */
    private static final int TOGETHER = 8;

    /** Returns the known state of an entity. */
    @FunctionalInterface
    interface KnownOp {
        @Nullable EntityState of(EntityKey key);
    }

    /** The states that Redis has, and the entities whose state Redis does not know. */
    private record HotStates(Map<EntityKey, EntityState> hot, Set<EntityKey> unknown) {}

    /** Reads one entity, as {@link #all}. */
    EntityState one(EntityKey key, @Nullable String user, @Nullable EntityState known) {
        return user == null
                ? only(all(List.of(key), null, _ -> null))
                : read(key, user, known).orElseGet(() -> only(committed(List.of(key), user)));
    }

    private static EntityState only(Map<EntityKey, EntityState> states) {
        return states.values().iterator().next();
    }

    /**
     * Reads many entities. One round trip reads the hot ones. Missing entities are loaded up to 8
     * at a time, and each acquires its lease when its turn comes. One statement reads the entities
     * that Redis does not know.
     *
     * @param keys keys without duplicates
     * @param user user whose reactions are read; null for none
     * @param known known state of an entity, or null, see {@link HotEntities#begin}
     * @return a state for each key
     */
    Map<EntityKey, EntityState> all(
            Collection<EntityKey> keys, @Nullable String user, KnownOp known) {
        HotStates found;
        try (var _ = TraceSpan.part("read")) {
            found = user == null ? counted(keys) : seen(keys, user, known);
        }
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

    private HotStates counted(Collection<EntityKey> keys) {
        return hot.counts(partitions, keys)
                .map(states -> new HotStates(states, Set.of()))
                .orElseGet(() -> new HotStates(Map.of(), Set.copyOf(keys)));
    }

    private HotStates seen(Collection<EntityKey> keys, String user, KnownOp known) {
        Map<EntityKey, HotRead> looks = new LinkedHashMap<>();
        for (EntityKey key : keys) {
            looks.put(key, hot.look(partitions.of(key), key, user, known.of(key)));
        }
        var found = new HotStates(new HashMap<>(), new HashSet<>());
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
     * Reads up to 8 entities at a time. After a failure no more reads begin. Reads in flight end by
     * themselves, because an interruption would cost them their connections to Postgres.
     */
    private static Map<EntityKey, EntityState> together(
            List<EntityKey> keys, Function<EntityKey, Optional<EntityState>> read) {
        Map<EntityKey, EntityState> states = new ConcurrentHashMap<>();
        var failure = new AtomicReference<@Nullable RuntimeException>();
        TraceSpan span = TraceSpan.current();
        keys.stream()
                .gather(
                        Gatherers.mapConcurrent(
                                TOGETHER,
                                key -> {
                                    if (failure.get() == null) {
                                        try (var _ = TraceSpan.entered(span)) {
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

    private Optional<EntityState> read(EntityKey key, String user, @Nullable EntityState known) {
        try (var _ = TraceSpan.part("read")) {
            return load(key, user, known);
        }
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
        Iterator<EntitySnapshot> found;
        try (var _ = TraceSpan.part("read from Postgres")) {
            found = gate.ask(() -> snapshots.entities(wanted, 0)).iterator();
        }
        wanted.forEach(each -> states.put(each.key(), state(found.next(), user)));
        return states;
    }

    private static EntityState state(EntitySnapshot found, @Nullable String user) {
        List<String> own = user == null ? List.of() : found.users().getOrDefault(user, List.of());
        return new EntityState(
                found.epoch(),
                found.version(),
                found.op(),
                found.people(),
                found.counters(),
                own,
                found.lock() != null);
    }
}
