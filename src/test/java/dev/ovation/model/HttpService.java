package dev.ovation.model;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.model.Command.Batch;
import dev.ovation.model.Command.Disturbance;
import dev.ovation.model.Command.Put;
import dev.ovation.model.Command.Read;
import dev.ovation.model.Command.Refresh;
import dev.ovation.model.Command.Write;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The real service, through HTTP; disturbances go to its Redis. */
final class HttpService implements Service {

    private static final String UNLINK_CLEAN =
            "return redis.call('PTTL', KEYS[1]) > 0 and redis.call('UNLINK', KEYS[1]) or 0";

    private final Instance instance;
    private final RedisCommands<String, String> redis;
    private final Path files;
    private final Partitions partitions;
    private final Map<String, Answer> seen = new HashMap<>();

    private Ruleset rules = World.USUAL;

    HttpService(
            Instance instance,
            RedisCommands<String, String> redis,
            Path files,
            Partitions partitions) {
        this.instance = instance;
        this.redis = redis;
        this.files = files;
        this.partitions = partitions;
    }

    /** Restores the rules that are in force at the beginning of a sequence. */
    void usualRules() {
        if (rules != World.USUAL) {
            send(new Refresh(World.USUAL));
        }
    }

    @Override
    public Reply send(Command command) {
        return switch (command) {
            case Write write ->
                    reply(
                            instance.send(
                                    write.method(),
                                    write.path(),
                                    write.body(),
                                    write.headers().toArray(String[]::new)));
            case Put put -> put(put);
            case Batch batch -> batch(batch);
            case Read read -> read(read.path());
            case Refresh refresh -> refresh(refresh.rules());
            case Disturbance disturbance -> disturb(disturbance);
        };
    }

    private Reply put(Put put) {
        var headers = new ArrayList<>(put.headers());
        String tag =
                switch (put.match()) {
                    case NOTHING -> null;
                    case WHAT_NEVER_WAS -> "\"never\"";
                    case WHAT_IS_THERE, ITS_DETAILS ->
                            instance.get(put.read().path()).headers().get("etag");
                };
        if (tag != null) {
            headers.addAll(List.of("If-Match", tag));
        }
        return reply(
                instance.send("PUT", "/reactions", put.body(), headers.toArray(String[]::new)));
    }

    private Reply batch(Batch batch) {
        Answer answer =
                instance.send(
                        "POST",
                        "/reactions/batch",
                        batch.body(),
                        batch.headers().toArray(String[]::new));
        if (answer.status() != 200) {
            return reply(answer);
        }
        var operations = new ArrayList<Reply>();
        for (JsonNode each : answer.json().get("results")) {
            JsonNode problem = each.path("problem");
            if (problem.isMissingNode()) {
                operations.add(new Reply(200, each.toString()));
            } else if (each.path("outcome").equals(problem.path("outcome"))) {
                operations.add(problem(problem));
            } else {
                throw new AssertionError("two outcomes: " + answer);
            }
        }
        return Reply.results(operations);
    }

    /** Sends a conditional read: an unchanged body must be a 304. */
    private Reply read(String path) {
        Answer last = seen.get(path);
        if (last == null) {
            return remember(path, instance.get(path));
        }
        Answer answer =
                instance.send("GET", path, null, "If-None-Match", last.headers().get("etag"));
        if (answer.status() == 304) {
            return reply(last);
        }
        if (answer.status() == 200 && answer.body().equals(last.body())) {
            throw new AssertionError("sent again although nothing changed: " + answer);
        }
        return remember(path, answer);
    }

    private Reply remember(String path, Answer answer) {
        if (answer.status() == 200) {
            seen.put(path, answer);
        }
        return reply(answer);
    }

    private static Reply reply(Answer answer) {
        if (answer.status() < 400) {
            return new Reply(answer.status(), answer.body());
        }
        JsonNode problem = answer.json();
        String code = problem.path("type").asString("").replace("urn:ovation:problem:", "");
        boolean sound =
                "application/problem+json".equals(answer.headers().get("content-type"))
                        && problem.path("status").asInt(0) == answer.status()
                        && problem.path("code").asString("").equals(code)
                        && problem.path("error").equals(problem.path("detail"));
        if (!sound) {
            throw new AssertionError("not a consistent problem: " + answer);
        }
        return problem(problem);
    }

    private static Reply problem(JsonNode problem) {
        String code = problem.path("code").asString("");
        if (code.equals("precondition-failed")) {
            return Reply.failedPrecondition(problem.path("entity"));
        }
        if (code.equals("constraint-violated")) {
            return Reply.violated(
                    problem.path("constraint").asString(""), problem.path("outcome").asString(""));
        }
        return Reply.problem(
                problem.path("status").asInt(0),
                code,
                problem.path("outcome").asString(null),
                problem.has("conflicting")
                        ? problem.get("conflicting").valueStream().map(JsonNode::asString).toList()
                        : null,
                problem.has("limit") ? problem.get("limit").asInt() : null);
    }

    private Reply refresh(Ruleset next) {
        next.write(files);
        rules = next;
        Answer answer = instance.send("POST", "/actuator/refresh?accept_loss=true", null);
        return answer.status() == 200 ? Reply.NOTHING : reply(answer);
    }

    private Reply disturb(Disturbance disturbance) {
        var key = new EntityKey(disturbance.namespace(), disturbance.entity());
        int p = partitions.of(key);
        String counts = RedisSchema.counts(p, key);
        String users = RedisSchema.users(p, key);
        List<String> victims =
                switch (disturbance.harm()) {
                    case COUNTS_EVICTED -> List.of(counts);
                    case USERS_EVICTED -> List.of(users);
                    case BOTH_EVICTED -> List.of(counts, users);
                    case SCRIPTS_FLUSHED -> List.of();
                };
        if (victims.isEmpty()) {
            redis.scriptFlush();
        }
        for (String victim : victims) {
            Wait.until(victim + " is clean", () -> redis.pttl(victim) != -1);
            redis.eval(UNLINK_CLEAN, ScriptOutputType.INTEGER, victim);
        }
        return Reply.NOTHING;
    }
}
