package dev.ovation.openapi;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.mvc.ServletWrappingController;

/** {@code /v3/api-docs} and {@code /swagger-ui.html}, and what belongs to them. */
@Controller
final class OpenApiController {

    private final ObjectProvider<ServletWrappingController> springdoc;

    OpenApiController(ObjectProvider<ServletWrappingController> springdoc) {
        this.springdoc = springdoc;
    }

    /** The first request creates the context of springdoc. */
    @RequestMapping({"/v3/api-docs/**", "/v3/api-docs.yaml", "/swagger-ui.html", "/swagger-ui/**"})
    @RequiresScope(Scope.OPERATE)
    void answer(HttpServletRequest request, HttpServletResponse response) throws Exception {
        var _ = springdoc.getObject().handleRequest(request, response);
    }
}
