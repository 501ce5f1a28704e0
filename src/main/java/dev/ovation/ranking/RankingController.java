package dev.ovation.ranking;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.configuration.CurrentRules;
import dev.ovation.entity.Micros;
import dev.ovation.ranking.Ranking.Ranked;
import dev.ovation.ranking.Ranking.Top;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.PageCursor;
import dev.ovation.web.request.PageLimit;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** {@code GET /entities/top}. */
@Controller
final class RankingController {

    private final CurrentRules rules;
    private final PostgresBulkhead gate;
    private final Ranking ranking;

    RankingController(CurrentRules rules, PostgresBulkhead gate, Ranking ranking) {
        this.rules = rules;
        this.gate = gate;
        this.ranking = ranking;
    }

    private record TopJson(
            List<TopEntityJson> entities, String asOf, @Nullable String nextCursor) {}

    private record TopEntityJson(String entityId, long count) {}

    @GetMapping("/entities/top")
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer top(HttpServletRequest request) {
        QueryString query =
                QueryString.of(request, "namespace_id", "reaction_id", "limit", "cursor");
        var violations = new RequestViolations();
        String namespace =
                IdFields.namespace(
                        "namespace_id",
                        query.text("namespace_id"),
                        Principal.of(request),
                        violations);
        String reaction = query.nonEmpty("reaction_id");
        String key = reaction == null ? "" : rules.current().key(namespace, reaction);
        if (reaction != null) {
            IdFields.id("reaction_id", reaction, violations);
        }
        int limit = PageLimit.of(query, violations);
        violations.throwIfAny();
        var cursor = PageCursor.of("top", namespace, key);
        Ranked from =
                cursor.read(
                        query.text("cursor"),
                        parts -> new Ranked(parts.get(1), Long.parseLong(parts.get(0))));
        rules.forNamespace(namespace);
        Top top =
                gate.ask(
                        () ->
                                ranking.top(
                                        namespace,
                                        key,
                                        from == null ? Ranked.NONE : from,
                                        limit + 1));
        boolean more = top.entities().size() > limit;
        List<Ranked> page = more ? top.entities().subList(0, limit) : top.entities();
        return HttpAnswer.json(
                new TopJson(
                        page.stream()
                                .map(each -> new TopEntityJson(each.entity(), each.count()))
                                .toList(),
                        time(top),
                        more ? cursor.at(page.getLast().count(), page.getLast().entity()) : null));
    }

    private static String time(Top top) {
        return Micros.text(ChronoUnit.MICROS.between(Instant.EPOCH, top.asOf().toInstant()));
    }
}
