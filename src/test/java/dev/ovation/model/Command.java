package dev.ovation.model;

import dev.ovation.testing.Instance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/** One step of a sequence. Ids are as sent, but entity and key are made fresh for each run. */
sealed interface Command {

    /** The same step of one run: no two runs share an entity or an idempotency key. */
    Command in(String run);

    /** Simpler steps that may fail in the same way, the simplest first. */
    List<Command> simpler();

    /** As a line for a shell. */
    String line();

    enum Kind {
        ADD,
        REMOVE
    }

    /**
     * A wish to change one reaction.
     *
     * @param key idempotency key; empty for none
     * @param represent whether the state is wanted in the answer
     * @param inQuery whether the ids go into the query; only of a removal
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

        /** Whether this is a retry of the other, which may want another form of the answer. */
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

    /**
     * A look at an entity.
     *
     * @param user whose view; empty for nobody's
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

    /** The files say something else, or the same, and are read again. */
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
            return curl("POST", "/actuator/refresh", null, List.of())
                    + "   # after the files became: "
                    + rules.name();
        }
    }

    /** What may happen to Redis at any moment and must not be seen. */
    enum Harm {
        COUNTS_EVICTED,
        USERS_EVICTED,
        BOTH_EVICTED,
        SCRIPTS_FLUSHED
    }

    /** Harm that should be harmless. */
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
