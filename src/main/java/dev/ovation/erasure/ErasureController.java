package dev.ovation.erasure;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.entity.EntityKey;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;

/**
 * {@code DELETE /users} and {@code DELETE /entities}. A request that began an erasure carries it on
 * itself for a while; then a job does.
 */
@Controller
final class ErasureController {

    private final RemovalJobs removals;

    ErasureController(RemovalJobs removals) {
        this.removals = removals;
    }

    @DeleteMapping("/users")
    @RequiresScope(Scope.ERASE)
    HttpAnswer user(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "user_id");
        var violations = new RequestViolations();
        // The scope is for any user.
        String user = IdFields.id("user_id", query.text("user_id"), violations);
        IdFields.everyNamespace(Principal.of(request), violations);
        violations.throwIfAny();
        return removals.eraseUser(user);
    }

    @DeleteMapping("/entities")
    @RequiresScope(Scope.ERASE)
    HttpAnswer entity(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "namespace_id", "entity_id");
        var violations = new RequestViolations();
        String namespace =
                IdFields.namespace(
                        "namespace_id",
                        query.text("namespace_id"),
                        Principal.of(request),
                        violations);
        String entity = IdFields.id("entity_id", query.text("entity_id"), violations);
        violations.throwIfAny();
        return removals.eraseEntity(new EntityKey(namespace, entity));
    }
}
