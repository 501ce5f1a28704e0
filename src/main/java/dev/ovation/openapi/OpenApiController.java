package dev.ovation.openapi;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.request.PathFields;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Controller;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/**
 * The OpenAPI document, that of the contest, and Swagger UI, a page that shows them. The first
 * request reads them. The page loads and sends nothing cross-origin and cannot be framed.
 */
@Controller
@ConditionalOnBooleanProperty(name = "ovation.openapi.enabled", matchIfMissing = true)
final class OpenApiController {

    /** The files that name the others, so they must belong to the same release. */
    private static final Set<String> START = Set.of("index.html", "swagger-initializer.js");

    /** Folds operations, leaves out models and sends nothing to a validator elsewhere. */
    private static final byte[] PAGE_SETTINGS =
            """
            {
              "urls": [
                {"name": "Ovation", "url": "../v3/api-docs"},
                {"name": "Contest", "url": "../v3/api-docs/pcc"}
              ],
              "docExpansion": "list",
              "defaultModelsExpandDepth": -1,
              "validatorUrl": ""
            }
            """
                    .getBytes(StandardCharsets.UTF_8);

    /** The page sets styles of single elements, and has pictures in its style sheet. */
    private static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
                            + " img-src 'self' data:; font-src 'self' data:; connect-src 'self';"
                            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                    "X-Content-Type-Options",
                    "nosniff",
                    "Referrer-Policy",
                    "no-referrer",
                    "Cache-Control",
                    "private, no-cache");

    private final SingletonSupplier<OpenApiDocument> document =
            SingletonSupplier.of(OpenApiDocument::ofService);
    private final SingletonSupplier<OpenApiDocument> contest =
            SingletonSupplier.of(OpenApiDocument::ofContest);
    private final SingletonSupplier<SwaggerUi> ui = SingletonSupplier.of(SwaggerUi::new);

    @GetMapping("/v3/api-docs")
    @RequiresScope(Scope.OPERATE)
    HttpAnswer json() {
        return answer(document.obtain().json(), "application/json");
    }

    @GetMapping("/v3/api-docs.yaml")
    @RequiresScope(Scope.OPERATE)
    HttpAnswer yaml() {
        return answer(document.obtain().yaml(), "application/vnd.oai.openapi");
    }

    @GetMapping("/v3/api-docs/pcc")
    @RequiresScope(Scope.OPERATE)
    HttpAnswer contest() {
        return answer(contest.obtain().json(), "application/json");
    }

    @GetMapping("/v3/api-docs/swagger-config")
    @RequiresScope(Scope.OPERATE)
    HttpAnswer pageSettings() {
        return answer(PAGE_SETTINGS, "application/json");
    }

    @GetMapping("/swagger-ui.html")
    @RequiresScope(Scope.OPERATE)
    void page(HttpServletResponse response) {
        HEADERS.forEach(response::setHeader);
        response.setStatus(HttpServletResponse.SC_FOUND);
        response.setHeader("Location", "swagger-ui/index.html"); // also behind a path prefix
    }

    @GetMapping("/swagger-ui/{file}")
    @RequiresScope(Scope.OPERATE)
    void file(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String file = PathFields.text(request, "file");
        HEADERS.forEach(response::setHeader);
        if (START.contains(file)) {
            response.setHeader("Cache-Control", "no-store");
        }
        ui.obtain().answer(file, request, response);
    }

    private static HttpAnswer answer(byte[] body, String type) {
        HttpAnswer answer = HttpAnswer.ofJson(body).header("Content-Type", type);
        HEADERS.forEach(answer::header);
        return answer;
    }
}
