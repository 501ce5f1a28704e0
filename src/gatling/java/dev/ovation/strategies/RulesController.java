package dev.ovation.strategies;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.test.context.TestComponent;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.util.Map;

/** The reads of {@code /configuration}; a test component, so that the product's scan ignores it. */
@Controller
@TestComponent
final class RulesController {

    private final RulesInForce rules;

    RulesController(RulesInForce rules) {
        this.rules = rules;
    }

    @GetMapping("/configuration/namespace")
    HttpAnswer namespace(HttpServletRequest request) {
        return HttpAnswer.json(Map.of("namespace", find(request).namespace()));
    }

    @GetMapping("/configuration/available_reactions")
    HttpAnswer availableReactions(HttpServletRequest request) {
        return HttpAnswer.json(Map.of("reactions", find(request).reactions()));
    }

    private NamespaceRules find(HttpServletRequest request) {
        String id = QueryString.of(request).text("namespace_id");
        NamespaceRules found = id == null ? null : rules.namespace(id);
        if (found == null) {
            throw Problems.unknownNamespace(id == null ? "" : id);
        }
        return found;
    }
}
