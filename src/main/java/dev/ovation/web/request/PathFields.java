package dev.ovation.web.request;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.servlet.HandlerMapping;

import java.util.Map;

/** Parts of the path of a request. */
public final class PathFields {

    private PathFields() {}

    /** Returns the part that the mapping of the request names so. */
    public static String text(HttpServletRequest request, String name) {
        var parts =
                (Map<?, ?>) request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        return String.valueOf(parts.get(name));
    }
}
