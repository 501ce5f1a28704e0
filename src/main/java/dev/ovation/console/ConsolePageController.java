package dev.ovation.console;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.request.PathFields;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of the console. They are public, because a browser cannot send a credential when it
 * opens a page; they hold no data. The page sends the operator's key with each call of the API.
 */
@Controller
final class ConsolePageController {

    private static final String PAGE = "console.html";
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                    + " img-src data:; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'; require-trusted-types-for 'script'";
    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "css", "text/css", "js", "text/javascript");

    private final Map<String, byte[]> files =
            Stream.of(
                            PAGE,
                            "console.css",
                            "app.js",
                            "api.js",
                            "charts.js",
                            "dom.js",
                            "entities.js",
                            "impact.js",
                            "jobs.js",
                            "overview.js",
                            "rules.js",
                            "versions.js")
                    .collect(Collectors.toMap(Function.identity(), ConsolePageController::read));

    @GetMapping("/console")
    @RequiresScope(Scope.PUBLIC)
    HttpAnswer page(HttpServletRequest request) {
        return answer(PAGE, request);
    }

    @GetMapping("/console/{file}")
    @RequiresScope(Scope.PUBLIC)
    HttpAnswer file(HttpServletRequest request) {
        return answer(PathFields.text(request, "file"), request);
    }

    private HttpAnswer answer(String name, HttpServletRequest request) {
        byte[] bytes = files.get(name);
        if (bytes == null) {
            throw new ProblemException(ProblemCode.NOT_FOUND, "the console has no such file");
        }
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        return HttpAnswer.ofJson(bytes)
                .header("Content-Type", type + "; charset=utf-8")
                .header("Content-Security-Policy", POLICY)
                .header("Referrer-Policy", "no-referrer")
                .header("X-Content-Type-Options", "nosniff")
                .header("Cache-Control", "private, no-cache")
                .conditional(request);
    }

    private static byte[] read(String name) {
        try {
            return new ClassPathResource("page/" + name, ConsolePageController.class)
                    .getContentAsByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
