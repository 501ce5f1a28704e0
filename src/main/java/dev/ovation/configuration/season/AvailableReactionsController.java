package dev.ovation.configuration.season;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.limit.SharedCaching;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.web.DirectController;
import dev.ovation.web.DirectRoute;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * {@code GET /configuration/available_reactions}: the request of the older service, and a page for
 * an audience.
 */
@Controller
final class AvailableReactionsController implements DirectController {

    private static final String PATH = "/configuration/available_reactions";

    private final CurrentRules rules;
    private final AvailableReactions available;
    private final SharedCaching caching;

    AvailableReactionsController(
            CurrentRules rules,
            AvailableReactions available,
            @Value("${ovation.http.rules-max-age}") Duration maxAge) {
        this.rules = rules;
        this.available = available;
        this.caching = new SharedCaching(maxAge);
    }

    @Override
    public List<DirectRoute> hotRoutes() {
        return List.of(
                new DirectRoute("GET", PATH, Scope.REACTIONS_READ, this::availableReactions));
    }

    @GetMapping(PATH)
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer availableReactions(HttpServletRequest request) {
        QueryString query =
                QueryString.of(
                        request,
                        "namespace_id",
                        "age",
                        "gender",
                        "country",
                        "platform",
                        "limit",
                        "offset");
        String id = IdFields.namespace(query.text("namespace_id"), Principal.of(request));
        AudienceQuery audience = AudienceQuery.of(query);
        RulesInForce current = rules.forNamespace(id);
        NamespaceRules namespace = Objects.requireNonNull(current.namespace(id));
        Instant now = available.now();
        AvailableReactions.Offer offer = available.find(current, namespace, audience, now);
        String tag =
                namespace.isPermanent() && audience.equals(AudienceQuery.ALL)
                        ? "\"" + current.version() + "\""
                        : offer.tag();
        return caching.mark(HttpAnswer.ofJson(offer.json(), tag), request, left(now, offer))
                .conditional(request);
    }

    /** Returns the whole seconds until the answer may change. */
    private static long left(Instant now, AvailableReactions.Offer offer) {
        return offer.until().equals(Instant.MAX)
                ? Long.MAX_VALUE
                : Duration.between(now, offer.until()).toSeconds();
    }
}
