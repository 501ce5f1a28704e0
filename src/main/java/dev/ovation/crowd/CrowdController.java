package dev.ovation.crowd;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.limit.Caller;
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

/**
 * Lists of the reactors of an entity and of the reactions of a user. They show what is committed,
 * from Postgres.
 */
@Controller
final class CrowdController {

    private final CrowdCalls calls;
    private final long maxBody;

    CrowdController(CrowdCalls calls, @Value("${ovation.http.max-body}") DataSize maxBody) {
        this.calls = calls;
        this.maxBody = maxBody.toBytes();
    }

    @GetMapping("/reactions/users")
    @RequiresScope(Scope.CROWDS_READ)
    HttpAnswer reactors(HttpServletRequest request) {
        QueryString query =
                QueryString.of(
                        request,
                        "namespace_id",
                        "entity_id",
                        "reaction_id",
                        "order",
                        "viewer_id",
                        "friends",
                        "limit",
                        "cursor");
        return HttpAnswer.json(CrowdJson.page(calls.reactors(query, Caller.of(request))));
    }

    @PostMapping("/reactions/users/query")
    @RequiresScope(Scope.CROWDS_READ)
    HttpAnswer among(HttpServletRequest request) throws IOException {
        QueryString.none(request);
        var found = calls.among(JsonBody.read(request, maxBody), Caller.of(request));
        return HttpAnswer.json(CrowdJson.entities(found));
    }

    @GetMapping("/users/reactions")
    @RequiresScope(Scope.USERS_READ)
    HttpAnswer given(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "user_id", "namespace_id", "limit", "cursor");
        return HttpAnswer.json(CrowdJson.given(calls.given(query, Caller.of(request))));
    }
}
