package dev.ovation.reaction;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.limit.CallerBulkhead;
import dev.ovation.web.WebTestApplication;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.test.context.TestComponent;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.util.List;
import java.util.Map;

/** The HTTP form of reactions over {@link FakeReactions}, behind the authentication filter. */
@ComponentScan({"dev.ovation.credential", "dev.ovation.gate"})
@Import({
    WebTestApplication.class,
    ReactionCalls.class,
    ReactionController.class,
    ReactionsTestApplication.Namespaces.class
})
class ReactionsTestApplication {

    /** Concurrent writes of all callers; one caller may have one less. */
    static final int WRITES = 8;

    @Bean
    FakeReactions reactions() {
        return new FakeReactions();
    }

    @Bean
    CallerBulkhead writesOfCallers() {
        return CallerBulkhead.share("writes", WRITES);
    }

    /** Marks answers that did not use the fast path. */
    @Bean
    FilterRegistrationBean<Filter> ordinaryWay() {
        Filter mark =
                (request, response, others) -> {
                    ((HttpServletResponse) response).setHeader("Way", "ordinary");
                    others.doFilter(request, response);
                };
        return new FilterRegistrationBean<>(mark);
    }

    /** Requests of the older client before its first reaction, with their answers. */
    @Controller
    @TestComponent
    static class Namespaces {

        record Namespace(
                String id,
                String reactionSetId,
                int maxUniqReactions,
                List<List<String>> mutuallyExclusiveReactions) {}

        record Reaction(String id, String type, String code) {}

        @GetMapping("/configuration/namespace")
        @RequiresScope(Scope.REACTIONS_READ)
        HttpAnswer namespace(HttpServletRequest request) {
            check(request);
            return HttpAnswer.json(
                    Map.of(
                            "namespace",
                            new Namespace(
                                    "namespace",
                                    "reaction_set",
                                    5,
                                    List.of(
                                            List.of("reaction1", "reaction2"),
                                            List.of("reaction2", "reaction3")))));
        }

        @GetMapping("/configuration/available_reactions")
        @RequiresScope(Scope.REACTIONS_READ)
        HttpAnswer reactions(HttpServletRequest request) {
            check(request);
            return HttpAnswer.json(
                    Map.of("reactions", List.of(new Reaction("reaction1", "unicode", "😃"))));
        }

        private static void check(HttpServletRequest request) {
            String id = QueryString.of(request).text("namespace_id");
            if (!"namespace".equals(id)) {
                throw Problems.unknownNamespace(id == null ? "" : id);
            }
        }
    }
}
