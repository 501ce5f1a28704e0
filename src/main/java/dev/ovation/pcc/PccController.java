package dev.ovation.pcc;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.limit.CallerBulkhead;
import dev.ovation.limit.Charge;
import dev.ovation.web.DirectController;
import dev.ovation.web.DirectRoute;
import dev.ovation.web.guard.ScopeCheck;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemCounter;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code /pcc}: always 200; the body names an error as {@code error_code}. */
@Controller
@ConditionalOnBooleanProperty("ovation.pcc.enabled")
final class PccController implements DirectController {

    private static final int LIKED_ALREADY = 501;

    private final Pcc pcc;
    private final CallerBulkhead writesOfCallers;

    PccController(Pcc pcc, CallerBulkhead writesOfCallers) {
        this.pcc = pcc;
        this.writesOfCallers = writesOfCallers;
    }

    @Override
    public List<DirectRoute> hotRoutes() {
        return List.of(
                new DirectRoute("GET", "/pcc", Scope.REACTIONS_WRITE, this::answer),
                new DirectRoute("POST", "/pcc", Scope.REACTIONS_WRITE, this::answer));
    }

    @RequestMapping(
            path = "/pcc",
            method = {RequestMethod.GET, RequestMethod.POST})
    @RequiresScope(Scope.REACTIONS_WRITE)
    HttpAnswer answer(HttpServletRequest request) {
        QueryString query = null;
        try {
            query = QueryString.of(request);
            PccRequest asked = PccRequest.of(query, Principal.of(request));
            if (asked.action() == PccRequest.Action.LIST) {
                var _ = ScopeCheck.demand(request, Scope.CROWDS_READ);
            }
            Charge.user(request, asked.user() == null ? null : asked.user().toString());
            return HttpAnswer.json(answer(asked, request));
        } catch (ProblemException e) {
            ProblemCounter.note(request, e);
            return switch (e.code()) {
                case REACTION_ALREADY_EXISTS ->
                        error(LIKED_ALREADY, "object already been liked.", query);
                case UNKNOWN_NAMESPACE_ON_WRITE, UNKNOWN_REACTION ->
                        error(ProblemCode.NOT_FOUND.status(), e.detail(), query);
                default -> error(e.code().status(), e.detail(), query);
            };
        } catch (DataAccessException | TransactionException e) {
            ProblemCode code = ProblemCode.UNAVAILABLE;
            var problem = new ProblemException(code, code.title());
            ProblemCounter.note(request, problem.because(e));
            return error(code.status(), code.title(), query);
        }
    }

    private Map<String, Object> answer(PccRequest asked, HttpServletRequest request) {
        if (asked.action() != PccRequest.Action.LIKE) {
            return pcc.answer(asked);
        }
        try (var _ = writesOfCallers.take(Principal.of(request))) {
            return pcc.answer(asked);
        }
    }

    private static HttpAnswer error(int code, String message, @Nullable QueryString query) {
        var body = new LinkedHashMap<String, Object>();
        body.put("error_code", code);
        body.put("error_message", message);
        for (String name : List.of("oid", "uid")) {
            var id = query == null ? null : PccRequest.number(query.text(name));
            if (id != null) {
                body.put(name, id);
            }
        }
        return HttpAnswer.json(body);
    }
}
