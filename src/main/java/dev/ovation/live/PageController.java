package dev.ovation.live;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.web.http.HttpAnswer;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The component that other sites embed, and a page that shows it. The component is public; it can
 * do what the visitor's credential allows.
 */
@Controller
final class PageController {

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                    + " img-src 'self' https: data:; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'; require-trusted-types-for 'script'";
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    private final byte[] component = read("ovation.js");
    private final byte[] page = read("demo.html");
    private final byte[] script = read("page.js");
    private final byte[] style = read("page.css");

    @GetMapping("/ovation.js")
    @RequiresScope(Scope.PUBLIC)
    HttpAnswer component(HttpServletRequest request) {
        return file(component, SCRIPT, request).header("Cache-Control", "public, max-age=300");
    }

    @GetMapping("/demo")
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer page(HttpServletRequest request) {
        return file(page, "text/html; charset=utf-8", request)
                .header("Content-Security-Policy", POLICY)
                .header("Referrer-Policy", "no-referrer");
    }

    @GetMapping("/demo/page.js")
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer script(HttpServletRequest request) {
        return file(script, SCRIPT, request);
    }

    @GetMapping("/demo/page.css")
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer style(HttpServletRequest request) {
        return file(style, "text/css; charset=utf-8", request);
    }

    private static HttpAnswer file(byte[] bytes, String type, HttpServletRequest request) {
        return HttpAnswer.ofJson(bytes)
                .header("Content-Type", type)
                .header("X-Content-Type-Options", "nosniff")
                .header("Cache-Control", "private, no-cache")
                .conditional(request);
    }

    private static byte[] read(String name) {
        try {
            return new ClassPathResource("page/" + name, PageController.class)
                    .getContentAsByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
