package dev.ovation.simulation.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import tools.jackson.databind.json.JsonMapper;

import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One request of an app. It is started once, then answered once or not at all; not thread-safe. */
public final class Call {

    /** Age in years from which a user is an adult. */
    public static final int ADULT = 18;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final Operation operation;
    private final String user;
    private final List<Entity> entities;
    private final List<Integer> asked;
    private final String reaction;
    private final int age;
    private long started;
    private long ended;
    private Verdict verdict = Verdict.failed("no answer");

    private Call(
            Operation operation, String user, List<Entity> entities, String reaction, int age) {
        this.operation = operation;
        this.user = user;
        this.entities = entities;
        this.reaction = reaction;
        this.age = age;
        this.asked = entities.stream().map(Entity::changes).toList();
    }

    /** Reads one entity. */
    static Call get(String user, Entity entity) {
        return new Call(Operation.GET, user, List.of(entity), "", 0);
    }

    /** Reads several entities of a namespace at once. */
    static Call query(String user, List<Entity> entities) {
        return new Call(Operation.QUERY, user, entities, "", 0);
    }

    /** Adds a reaction of a user of this age, and removes those that it excludes. */
    static Call post(String user, int age, Entity entity, String reaction) {
        entity.clicked();
        return new Call(Operation.POST, user, List.of(entity), reaction, age);
    }

    /** Removes a reaction. */
    static Call delete(String user, Entity entity, String reaction) {
        entity.clicked();
        return new Call(Operation.DELETE, user, List.of(entity), reaction, 0);
    }

    public Operation operation() {
        return operation;
    }

    String user() {
        return user;
    }

    List<Entity> entities() {
        return entities;
    }

    /** The only entity. */
    Entity entity() {
        return entities.getFirst();
    }

    String reaction() {
        return reaction;
    }

    /** Whether it adds a reaction that the user is too young for. */
    boolean isTooYoung() {
        return operation == Operation.POST
                && age < ADULT
                && entity().namespace().forAdults().contains(reaction);
    }

    /** Path and query. */
    public String path() {
        return switch (operation) {
            case GET ->
                    "/reactions?namespace_id=%s&entity_id=%s&user_id=%s"
                            .formatted(
                                    URLEncoder.encode(entity().namespace().id(), UTF_8),
                                    URLEncoder.encode(entity().id(), UTF_8),
                                    URLEncoder.encode(user, UTF_8));
            case QUERY -> "/reactions/query";
            case POST -> "/reactions?force=true";
            case DELETE -> "/reactions";
        };
    }

    /** The JSON body; empty for none. */
    public String body() {
        var body = new LinkedHashMap<String, Object>();
        body.put("namespace_id", entity().namespace().id());
        switch (operation) {
            case GET -> {
                return "";
            }
            case QUERY -> {
                body.put("viewer_id", user);
                body.put("entities", entities.stream().map(Entity::id).toList());
            }
            case POST, DELETE -> {
                body.putAll(
                        Map.of(
                                "entity_id", entity().id(),
                                "user_id", user,
                                "reaction_id", reaction));
                if (operation == Operation.POST && !entity().namespace().forAdults().isEmpty()) {
                    body.put("attributes", Map.of("age", age));
                }
            }
        }
        return JSON.writeValueAsString(body);
    }

    /** Registers that it is sent now. */
    public void start() {
        started = System.nanoTime();
    }

    /** Judges its answer, which also updates the app. */
    public void answered(int status, String body) {
        ended = System.nanoTime();
        verdict = Answers.judge(this, status, body);
    }

    /** Registers that no answer will arrive; without an answer its outcome is unknown. */
    public void settle() {
        if (ended == 0 && operation != Operation.GET && operation != Operation.QUERY) {
            entity().doubt();
        }
    }

    /** The verdict on the answer; an error as long as there is none. */
    public Verdict verdict() {
        return verdict;
    }

    /** From start to answer, in nanoseconds. */
    public long nanos() {
        return ended - started;
    }

    /** The state of an entity in the app when the request was created. */
    int asked(int place) {
        return asked.get(place);
    }
}
