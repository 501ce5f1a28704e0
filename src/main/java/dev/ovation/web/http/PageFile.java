package dev.ovation.web.http;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.core.io.ClassPathResource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** A file of a page that the service serves from its class path. */
public final class PageFile {

    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "css", "text/css", "js", "text/javascript");

    private final byte[] bytes;
    private final String type;

    private PageFile(byte[] bytes, String type) {
        this.bytes = bytes;
        this.type = type;
    }

    /**
     * Reads a file.
     *
     * @param owner a class whose package has the folder {@code page}
     * @param name of the file there; ends with {@code .html}, {@code .css} or {@code .js}
     * @throws UncheckedIOException when there is no such file
     */
    public static PageFile read(Class<?> owner, String name) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        try {
            return new PageFile(
                    new ClassPathResource("page/" + name, owner).getContentAsByteArray(),
                    type + "; charset=utf-8");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the file, which a browser asks for again each time. */
    public HttpAnswer answer(HttpServletRequest request) {
        return HttpAnswer.ofJson(bytes)
                .header("Content-Type", type)
                .header("X-Content-Type-Options", "nosniff")
                .header("Cache-Control", "private, no-cache")
                .conditional(request);
    }

    /**
     * Returns the file as a page that runs and loads its own files only.
     *
     * @param images sources of its images, as in {@code img-src} of its policy
     */
    public HttpAnswer page(HttpServletRequest request, String images) {
        return answer(request)
                .header(
                        "Content-Security-Policy",
                        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                                + " img-src "
                                + images
                                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                                + " require-trusted-types-for 'script'")
                .header("Referrer-Policy", "no-referrer");
    }
}
