package dev.ovation.live;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.http.PageFile;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/**
 * The component that other sites embed, and a page that shows it. The component is public; it can
 * do what the visitor's credential allows.
 */
@Controller
final class PageController {

    private final PageFile component = file("ovation.js");
    private final PageFile page = file("demo.html");
    private final PageFile script = file("page.js");
    private final PageFile style = file("page.css");

    @GetMapping("/ovation.js")
    @RequiresScope(Scope.PUBLIC)
    HttpAnswer component(HttpServletRequest request) {
        return component.answer(request).header("Cache-Control", "public, max-age=300");
    }

    @GetMapping("/demo")
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer page(HttpServletRequest request) {
        return page.page(request, "'self' https: data:");
    }

    @GetMapping("/demo/page.js")
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer script(HttpServletRequest request) {
        return script.answer(request);
    }

    @GetMapping("/demo/page.css")
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer style(HttpServletRequest request) {
        return style.answer(request);
    }

    private static PageFile file(String name) {
        return PageFile.read(PageController.class, name);
    }
}
