package dev.ovation.crowd;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.crowd.ReactorsAmong.AmongResult;
import dev.ovation.crowd.UserReactionList.UserReactionRow;
import dev.ovation.limit.Charge;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Lists of the reactors of an entity and of the reactions of a user. They show what is committed,
 * from Postgres.
 */
@Controller
final class CrowdController {

    private final CurrentRules rules;
    private final PostgresBulkhead gate;
    private final ReactorListReader reactors;
    private final ReactorsAmong acquaintances;
    private final UserReactionList userReactions;
    private final long maxBody;

    CrowdController(
            CurrentRules rules,
            PostgresBulkhead gate,
            ReactorListReader reactors,
            ReactorsAmong acquaintances,
            UserReactionList userReactions,
            @Value("${ovation.http.max-body}") DataSize maxBody) {
        this.rules = rules;
        this.gate = gate;
        this.reactors = reactors;
        this.acquaintances = acquaintances;
        this.userReactions = userReactions;
        this.maxBody = maxBody.toBytes();
    }

    @GetMapping("/reactions/users")
    @RequiresScope(Scope.CROWDS_READ)
    HttpAnswer reactors(HttpServletRequest request) {
        var asked =
                CrowdRequests.reactors(
                        QueryString.of(
                                request,
                                "namespace_id",
                                "entity_id",
                                "reaction_id",
                                "order",
                                "viewer_id",
                                "friends",
                                "limit",
                                "cursor"),
                        Principal.of(request),
                        rules.current());
        Charge.user(request, asked.query().viewer());
        RulesInForce current = rules.forNamespace(asked.query().key().namespace());
        ReactorPage page = gate.ask(() -> reactors.page(asked.query()));
        String next = page.next() == null ? null : asked.cursor(page.next());
        return HttpAnswer.json(
                new CrowdJson.ReactorPageJson(CrowdJson.users(page.reactors(), current), next));
    }

    @PostMapping("/reactions/users/query")
    @RequiresScope(Scope.CROWDS_READ)
    HttpAnswer among(HttpServletRequest request) throws IOException {
        QueryString.none(request);
        var asked = CrowdRequests.among(JsonBody.read(request, maxBody), Principal.of(request));
        Charge.pairs(request, "entity_ids", asked.entities().size(), asked.among().size());
        RulesInForce current = rules.forNamespace(asked.namespace());
        Map<String, AmongResult> found =
                gate.ask(
                        () ->
                                acquaintances.find(
                                        asked.namespace(),
                                        asked.entities(),
                                        asked.among(),
                                        asked.limit()));
        return HttpAnswer.json(
                new CrowdJson.Entities(
                        asked.entities().stream()
                                .map(entity -> entity(entity, found, current))
                                .toList()));
    }

    private static CrowdJson.Entity entity(
            String entity, Map<String, AmongResult> all, RulesInForce current) {
        AmongResult found = all.getOrDefault(entity, AmongResult.NONE);
        return new CrowdJson.Entity(entity, found.size(), CrowdJson.users(found.newest(), current));
    }

    @GetMapping("/users/reactions")
    @RequiresScope(Scope.USERS_READ)
    HttpAnswer given(HttpServletRequest request) {
        var asked =
                CrowdRequests.given(
                        QueryString.of(request, "user_id", "namespace_id", "limit", "cursor"),
                        Principal.of(request));
        Charge.user(request, asked.user());
        String namespace = asked.namespace();
        RulesInForce current = namespace == null ? rules.current() : rules.forNamespace(namespace);
        int wanted = asked.limit() + 1;
        List<UserReactionRow> found =
                gate.ask(() -> userReactions.list(asked.user(), namespace, asked.from(), wanted));
        boolean more = found.size() == wanted;
        List<UserReactionRow> page = more ? found.subList(0, asked.limit()) : found;
        return HttpAnswer.json(
                new CrowdJson.UserReactionsJson(
                        page.stream().map(each -> CrowdJson.given(each, current)).toList(),
                        more ? asked.cursor(page.getLast()) : null));
    }
}
