package dev.ovation.moderation;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.erasure.RemovalJobs;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PutMapping;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code PUT /entities} and {@code DELETE /reactions/all}. */
@Controller
final class EntityController {

    private static final Map<String, String> OK = Map.of("status", "ok");
    private static final int MOST_REACTIONS = 1000;

    /** Requests that lock an entity at the same time; each holds a connection to Postgres. */
    private static final int AT_ONCE = 2;

    private final CurrentRules rules;
    private final EntityLocks locks;
    private final RemovalJobs removals;
    private final Bulkhead permits = new Bulkhead("locks", AT_ONCE, Duration.ofSeconds(1));
    private final long maxBody;

    EntityController(
            CurrentRules rules,
            EntityLocks locks,
            RemovalJobs removals,
            @Value("${ovation.http.max-body}") DataSize maxBody) {
        this.rules = rules;
        this.locks = locks;
        this.removals = removals;
        this.maxBody = maxBody.toBytes();
    }

    @PutMapping("/entities")
    @RequiresScope(Scope.MODERATE)
    HttpAnswer lock(HttpServletRequest request) throws IOException {
        QueryString query = QueryString.of(request, "namespace_id", "entity_id");
        JsonBody body = JsonBody.read(request, maxBody);
        var violations = new RequestViolations();
        EntityKey key = key(query, request, violations);
        boolean locked = body.flag("locked", violations);
        if (body.member("locked") == null) {
            violations.add("locked", "is missing");
        }
        JsonNode ids = body.member("reaction_ids");
        List<String> passing = passing(ids, violations);
        violations.throwIfAny();
        RulesInForce current = rules.current();
        if (current.namespace(key.namespace()) == null) {
            throw Problems.unknownNamespaceOnWrite(key.namespace());
        }
        try (var _ = permits.take()) {
            locks.set(
                    key,
                    locked
                            ? passing.stream()
                                    .map(id -> current.key(key.namespace(), id))
                                    .distinct()
                                    .sorted()
                                    .toList()
                            : null);
        }
        return HttpAnswer.json(OK);
    }

    @DeleteMapping("/reactions/all")
    @RequiresScope(Scope.MODERATE)
    HttpAnswer remove(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "namespace_id", "entity_id", "reaction_id");
        var violations = new RequestViolations();
        EntityKey key = key(query, request, violations);
        String reaction = IdFields.id("reaction_id", query.text("reaction_id"), violations);
        violations.throwIfAny();
        return removals.removeReaction(key, rules.current().key(key.namespace(), reaction));
    }

    private static EntityKey key(
            QueryString query, HttpServletRequest request, RequestViolations violations) {
        return new EntityKey(
                IdFields.namespace(
                        "namespace_id",
                        query.text("namespace_id"),
                        Principal.of(request),
                        violations),
                IdFields.id("entity_id", query.text("entity_id"), violations));
    }

    private static List<String> passing(@Nullable JsonNode ids, RequestViolations violations) {
        List<String> passing = new ArrayList<>();
        if (ids == null) {
            return passing;
        }
        if (!ids.isArray() || ids.size() > MOST_REACTIONS) {
            violations.add("reaction_ids", "must be a list of at most " + MOST_REACTIONS);
            return passing;
        }
        for (int i = 0; i < ids.size(); i++) {
            String field = "reaction_ids[" + i + "]";
            if (ids.get(i).isString()) {
                passing.add(IdFields.id(field, ids.get(i).stringValue(), violations));
            } else {
                violations.add(field, "must be a string");
            }
        }
        return passing;
    }
}
