package dev.ovation.web.request;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.Collections;

/** Preferences of a request, as in RFC 7240. Those that the service does not know are ignored. */
public final class Prefer {

    private Prefer() {}

    /**
     * Returns the value of a preference; null when the request does not have it. The first of a
     * name counts; its own parameters, after a semicolon, do not.
     *
     * @param name in lower case
     */
    public static @Nullable String value(HttpServletRequest request, String name) {
        if (request.getHeader("Prefer") == null) {
            return null;
        }
        for (String header : Collections.list(request.getHeaders("Prefer"))) {
            for (String preference : header.split(",", -1)) {
                String[] parts =
                        preference.split(";", 2)[0].replaceAll("[\\s\"]", "").split("=", 2);
                if (parts[0].equalsIgnoreCase(name)) {
                    return parts.length < 2 ? "" : parts[1];
                }
            }
        }
        return null;
    }
}
