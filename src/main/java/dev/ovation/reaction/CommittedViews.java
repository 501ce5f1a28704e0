package dev.ovation.reaction;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.entity.UserOfEntity;
import dev.ovation.reaction.view.EntityJson;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.Views;
import dev.ovation.store.EntityTable;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.store.snapshot.Snapshots;
import dev.ovation.store.snapshot.Snapshots.Wanted;
import dev.ovation.store.snapshot.UserStates;
import dev.ovation.store.snapshot.UserStates.UserState;
import dev.ovation.web.http.Json;
import dev.ovation.web.problem.ProblemException;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionOperations;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Committed views of entities, read from Postgres alone: they never run ahead of the commit. The
 * views of one call are of one instant, users' own reactions included.
 */
public final class CommittedViews {

    private final CurrentRules rules;
    private final Partitions partitions;
    private final Snapshots snapshots;
    private final UserStates states;
    private final EntityTable entities;
    private final PostgresBulkhead gate;
    private final TransactionOperations instant;

    /**
     * Creates the reader.
     *
     * @param instant transactions whose statements see one snapshot
     */
    CommittedViews(
            CurrentRules rules,
            Partitions partitions,
            Snapshots snapshots,
            UserStates states,
            EntityTable entities,
            PostgresBulkhead gate,
            TransactionOperations instant) {
        this.rules = rules;
        this.partitions = partitions;
        this.snapshots = snapshots;
        this.states = states;
        this.entities = entities;
        this.gate = gate;
        this.instant = instant;
    }

    /** The committed view of one entity, and of users who watch it. */
    public static final class CommittedView {

        private final EntityKey key;
        private final Views views;
        private final EntityView view;
        private final long number;
        private final Map<String, List<String>> own;

        private CommittedView(
                EntityKey key,
                RulesInForce rules,
                EntitySnapshot found,
                Map<String, List<String>> own) {
            this.key = key;
            this.views = new Views(rules, key);
            this.view =
                    views.view(
                            found.epoch(),
                            found.version(),
                            found.counters(),
                            null,
                            List.of(),
                            found.lock() != null);
            this.number = found.version();
            this.own = own;
        }

        public EntityKey key() {
            return key;
        }

        /** Returns a text that is greater for a newer state of this entity. */
        public String state() {
            return view.state();
        }

        /** Returns the number of the state, 0 before the first change. */
        public long number() {
            return number;
        }

        /**
         * Returns the view for a viewer.
         *
         * @param viewer a user who was asked for; null for none
         */
        public EntityView shown(@Nullable String viewer) {
            return viewer == null ? view : seenBy(viewer);
        }

        /** Returns the version that clients see without a viewer. */
        public String version() {
            return view.version();
        }

        /** Returns the version that clients see with this viewer, who was asked for. */
        public String version(String viewer) {
            return seenBy(viewer).version();
        }

        /** Returns the JSON of {@code GET /reactions} with details, and {@code namespace_id}. */
        public byte[] json() {
            return json(view);
        }

        /** Returns the JSON with this viewer, who was asked for. */
        public byte[] json(String viewer) {
            return json(seenBy(viewer));
        }

        private EntityView seenBy(String viewer) {
            return view.seenBy(viewer, views.spelled(Objects.requireNonNull(own.get(viewer))));
        }

        private byte[] json(EntityView shown) {
            byte[] json = Json.bytes(EntityJson.detailed(shown));
            byte[] end =
                    (",\"namespace_id\":\"" + key.namespace() + "\"}")
                            .getBytes(StandardCharsets.UTF_8);
            byte[] whole = Arrays.copyOf(json, json.length - 1 + end.length);
            System.arraycopy(end, 0, whole, json.length - 1, end.length);
            return whole;
        }
    }

    /**
     * Checks that rules in force know the namespace.
     *
     * @throws ProblemException 404 when none do
     */
    public void demand(String namespace) {
        var _ = rules.forNamespace(namespace);
    }

    /**
     * Reads the views of entities.
     *
     * @param viewers for each entity the users whose own reactions are read as well
     * @return a view for each entity
     * @throws DataAccessException when Postgres cannot be asked now
     */
    public List<CommittedView> read(Map<EntityKey, Set<String>> viewers) {
        List<EntityKey> keys = List.copyOf(viewers.keySet());
        List<UserOfEntity> users = new ArrayList<>();
        viewers.forEach((key, of) -> of.forEach(user -> users.add(new UserOfEntity(key, user))));
        RulesInForce current = rules.current();
        return gate.ask(
                () ->
                        users.isEmpty()
                                ? views(keys, snapshots(keys), Map.of(), current)
                                : Objects.requireNonNull(
                                        instant.execute(
                                                _ ->
                                                        views(
                                                                keys,
                                                                snapshots(keys),
                                                                states.of(users),
                                                                current))));
    }

    private List<EntitySnapshot> snapshots(List<EntityKey> keys) {
        return snapshots.entities(
                keys.stream().map(key -> new Wanted(partitions.of(key), key, null)).toList(), 0);
    }

    private static List<CommittedView> views(
            List<EntityKey> keys,
            List<EntitySnapshot> found,
            Map<UserOfEntity, UserState> own,
            RulesInForce rules) {
        Map<EntityKey, Map<String, List<String>>> byEntity = new HashMap<>();
        own.forEach(
                (user, state) ->
                        byEntity.computeIfAbsent(user.key(), _ -> new HashMap<>())
                                .put(user.user(), state.reactions()));
        List<CommittedView> views = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            EntityKey key = keys.get(i);
            var users = byEntity.getOrDefault(key, Map.of());
            views.add(new CommittedView(key, rules, found.get(i), users));
        }
        return views;
    }

    /**
     * Reads the numbers of the committed states of entities; those that never changed are missing.
     *
     * @throws DataAccessException when Postgres cannot be asked now
     */
    public Map<EntityKey, Long> numbers(Collection<EntityKey> keys) {
        Map<EntityKey, Long> numbers = new HashMap<>();
        gate.ask(() -> entities.heads(keys))
                .forEach((key, head) -> numbers.put(key, head.version()));
        return numbers;
    }
}
