package dev.ovation.console;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.http.PageFile;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.request.PathFields;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

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
    private final Map<String, PageFile> files =
            Stream.of(
                            PAGE,
                            "console.css",
                            "app.js",
                            "api.js",
                            "charts.js",
                            "conditions.js",
                            "dom.js",
                            "entities.js",
                            "impact.js",
                            "jobs.js",
                            "overview.js",
                            "rules.js",
                            "versions.js")
                    .collect(
                            Collectors.toMap(
                                    Function.identity(),
                                    name -> PageFile.read(ConsolePageController.class, name)));

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
        PageFile file = files.get(name);
        if (file == null) {
            throw new ProblemException(ProblemCode.NOT_FOUND, "the console has no such file");
        }
        return file.page(request, "data:");
    }
}
