package dev.ovation.model;

import dev.ovation.testing.Instance;

import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** One step of a sequence. Ids are as sent, but entity and key are unique to each run. */
sealed interface Command {

    /** The step in one run: no two runs share an entity or an idempotency key. */
    Command in(String run);

    /** Simpler steps that may fail in the same way, the simplest first. */
    List<Command> simpler();

    /** The step as a line for a shell. */
    String line();

    enum Kind {
        ADD,
        REMOVE
    }

    /**
     * A change of one reaction.
     *
     * @param key idempotency key; empty for none
     * @param represent whether the answer contains the state
     * @param inQuery whether the ids are in the query; only for a removal
     */
    record Write(
            Kind kind,
            String namespace,
            String entity,
            String user,
            String reaction,
            boolean force,
            boolean existingIsFine,
            String key,
            boolean represent,
            boolean inQuery)
            implements Command {

        @Override
        public Write in(String run) {
            return with(run + entity, key.isEmpty() ? "" : run + key);
        }

        private Write with(String otherEntity, String otherKey) {
            return new Write(
                    kind,
                    namespace,
                    otherEntity,
                    user,
                    reaction,
                    force,
                    existingIsFine,
                    otherKey,
                    represent,
                    inQuery);
        }

        private Write of(String otherUser) {
            return new Write(
                    kind,
                    namespace,
                    entity,
                    otherUser,
                    reaction,
                    force,
                    existingIsFine,
                    key,
                    represent,
                    inQuery);
        }

        /** Whether this is a retry of the other, which may request another form of the answer. */
        boolean sameWish(Write other) {
            return new Write(
                            other.kind,
                            other.namespace,
                            other.entity,
                            other.user,
                            other.reaction,
                            other.force,
                            other.existingIsFine,
                            other.key,
                            represent,
                            inQuery)
                    .equals(this);
        }

        @Override
        public List<Command> simpler() {
            var candidates = new ArrayList<Command>();
            String plain = World.reactions(namespace).getFirst();
            candidates.add(with(entity, ""));
            candidates.add(with(World.ENTITIES.getFirst(), key));
            candidates.add(
                    new Write(
                            kind, namespace, entity, user, reaction, false, false, key, false,
                            false));
            World.plainerUsers(user).forEach(plainer -> candidates.add(of(plainer)));
            candidates.add(
                    new Write(
                            kind,
                            namespace,
                            entity,
                            user,
                            plain,
                            force,
                            existingIsFine,
                            key,
                            represent,
                            inQuery));
            candidates.removeIf(this::equals);
            return candidates;
        }

        String method() {
            return kind == Kind.ADD ? "POST" : "DELETE";
        }

        String path() {
            var query = new LinkedHashMap<String, String>();
            if (inQuery) {
                query.put("namespace_id", namespace);
                query.put("entity_id", entity);
                query.put("user_id", user);
                query.put("reaction_id", reaction);
            }
            if (force) {
                query.put("force", "true");
            }
            if (existingIsFine) {
                query.put("if_exists", "ok");
            }
            return "/reactions" + (query.isEmpty() ? "" : "?" + Instance.encode(query));
        }

        String body() {
            return inQuery ? null : Instance.body(namespace, entity, user, reaction);
        }

        List<String> headers() {
            var headers = new ArrayList<String>();
            if (!key.isEmpty()) {
                headers.addAll(List.of("Idempotency-Key", key));
            }
            if (represent) {
                headers.addAll(List.of("Prefer", "return=representation"));
            }
            return headers;
        }

        @Override
        public String line() {
            return curl(method(), path(), body(), headers());
        }
    }

    /** Values of {@code If-Match}. */
    enum Match {
        NOTHING,
        /** The version that a read by this user returns just before. */
        WHAT_IS_THERE,
        /** The version of such a read with details. */
        ITS_DETAILS,
        WHAT_NEVER_WAS
    }

    /**
     * A replacement of all reactions of a user by these.
     *
     * @param key idempotency key; empty for none
     */
    record Put(
            String namespace,
            String entity,
            String user,
            List<String> reactions,
            String key,
            Match match)
            implements Command {

        @Override
        public Put in(String run) {
            return new Put(
                    namespace,
                    run + entity,
                    user,
                    reactions,
                    key.isEmpty() ? "" : run + key,
                    match);
        }

        /** Whether this is a retry of the other, which may have another condition. */
        boolean sameWish(Put other) {
            return namespace.equals(other.namespace)
                    && entity.equals(other.entity)
                    && user.equals(other.user)
                    && key.equals(other.key)
                    && ReferenceModel.ordered(reactions)
                            .equals(ReferenceModel.ordered(other.reactions));
        }

        @Override
        public List<Command> simpler() {
            var candidates = new ArrayList<Command>();
            candidates.add(new Put(namespace, entity, user, reactions, "", match));
            candidates.add(new Put(namespace, entity, user, reactions, key, Match.NOTHING));
            candidates.add(
                    new Put(namespace, World.ENTITIES.getFirst(), user, reactions, key, match));
            World.plainerUsers(user)
                    .forEach(
                            plainer ->
                                    candidates.add(
                                            new Put(
                                                    namespace, entity, plainer, reactions, key,
                                                    match)));
            for (int i = 0; i < reactions.size(); i++) {
                var fewer = new ArrayList<>(reactions);
                fewer.remove(i);
                candidates.add(new Put(namespace, entity, user, fewer, key, match));
            }
            candidates.removeIf(this::equals);
            return candidates;
        }

        String body() {
            return Instance.setBody(namespace, entity, user, reactions);
        }

        /** The read that returns the current version. */
        Read read() {
            return new Read(namespace, entity, user, match == Match.ITS_DETAILS, true);
        }

        List<String> headers() {
            return key.isEmpty() ? List.of() : List.of("Idempotency-Key", key);
        }

        @Override
        public String line() {
            return curl("PUT", "/reactions", body(), headers())
                    + (match == Match.NOTHING ? "" : "   # if it matches " + match);
        }
    }

    /**
     * Several writes in one request.
     *
     * @param operations without keys, and with the usual form of the answer
     * @param key idempotency key; empty for none
     */
    record Batch(List<Write> operations, String key) implements Command {

        @Override
        public Batch in(String run) {
            return new Batch(
                    operations.stream().map(each -> each.in(run)).toList(),
                    key.isEmpty() ? "" : run + key);
        }

        @Override
        public List<Command> simpler() {
            var candidates = new ArrayList<Command>(operations);
            candidates.add(new Batch(operations, ""));
            for (int i = 0; i < operations.size(); i++) {
                var fewer = new ArrayList<>(operations);
                fewer.remove(i);
                candidates.add(new Batch(fewer, key));
            }
            candidates.removeIf(this::equals);
            return candidates;
        }

        /** Returns an operation as a write. */
        Write write(int i) {
            Write each = operations.get(i);
            return each.with(each.entity, key.isEmpty() ? "" : key + " " + i);
        }

        String body() {
            var items = new ArrayList<Map<String, Object>>();
            for (Write each : operations) {
                var item = new LinkedHashMap<String, Object>();
                item.put("op", each.kind == Kind.ADD ? "add" : "remove");
                item.put("namespace_id", each.namespace);
                item.put("entity_id", each.entity);
                item.put("user_id", each.user);
                item.put("reaction_id", each.reaction);
                item.put("force", each.force);
                item.put("if_exists", each.existingIsFine ? "ok" : "error");
                items.add(item);
            }
            return JsonMapper.shared().writeValueAsString(Map.of("operations", items));
        }

        List<String> headers() {
            return key.isEmpty() ? List.of() : List.of("Idempotency-Key", key);
        }

        @Override
        public String line() {
            return curl("POST", "/reactions/batch", body(), headers());
        }
    }

    /**
     * A read of an entity.
     *
     * @param user the viewer; empty for none
     * @param byOldName whether the viewer is named user_id
     */
    record Read(String namespace, String entity, String user, boolean details, boolean byOldName)
            implements Command {

        @Override
        public Read in(String run) {
            return new Read(namespace, run + entity, user, details, byOldName);
        }

        @Override
        public List<Command> simpler() {
            var candidates = new ArrayList<Command>();
            candidates.add(new Read(namespace, entity, "", details, byOldName));
            candidates.add(new Read(namespace, entity, user, false, true));
            candidates.add(new Read(namespace, World.ENTITIES.getFirst(), user, details, true));
            candidates.removeIf(this::equals);
            return candidates;
        }

        String path() {
            var query = new LinkedHashMap<String, String>();
            query.put("namespace_id", namespace);
            query.put("entity_id", entity);
            query.put(byOldName ? "user_id" : "viewer_id", user);
            if (user.isEmpty() && !byOldName) {
                query.remove("viewer_id");
            }
            if (details) {
                query.put("details", "true");
            }
            return "/reactions?" + Instance.encode(query);
        }

        @Override
        public String line() {
            return curl("GET", path(), null, List.of());
        }
    }

    /** Writes the files, changed or not, and has them read again. */
    record Refresh(Ruleset rules) implements Command {

        @Override
        public Refresh in(String run) {
            return this;
        }

        @Override
        public List<Command> simpler() {
            return List.of();
        }

        @Override
        public String line() {
            return curl("POST", "/actuator/refresh?accept_loss=true", null, List.of())
                    + "   # after the files became: "
                    + rules.name();
        }
    }

    /** Disturbances of Redis that are possible at any moment and must not be visible. */
    enum Harm {
        COUNTS_EVICTED,
        USERS_EVICTED,
        BOTH_EVICTED,
        SCRIPTS_FLUSHED
    }

    /** A disturbance that should have no effect. */
    record Disturbance(Harm harm, String namespace, String entity) implements Command {

        @Override
        public Disturbance in(String run) {
            return new Disturbance(harm, namespace, run + entity);
        }

        @Override
        public List<Command> simpler() {
            return List.of();
        }

        @Override
        public String line() {
            return harm == Harm.SCRIPTS_FLUSHED
                    ? "redis-cli script flush"
                    : "# redis-cli unlink, once clean: " + harm + " of " + namespace + ":" + entity;
        }
    }

    private static String curl(String method, String path, String body, List<String> headers) {
        var line = new StringBuilder("curl -X " + method);
        for (int i = 0; i < headers.size(); i += 2) {
            line.append(" -H ").append(quoted(headers.get(i) + ": " + headers.get(i + 1)));
        }
        if (body != null) {
            line.append(" -d ").append(quoted(body));
        }
        return line.append(' ').append(quoted("localhost:8080" + path)).toString();
    }

    private static String quoted(String text) {
        UnaryOperator<String> escape = raw -> raw.replace("'", "'\\''");
        return "'" + escape.apply(text) + "'";
    }
}
