package dev.ovation.gate;

import dev.ovation.gate.cors.Cors;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Tells a request of this machine from one that a web page or a proxy sent here. A page of another
 * site names itself as {@code Origin}; one whose name was made to point here names that as {@code
 * Host}; a proxy says {@code Forwarded}.
 */
final class Neighbour {

    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "::1", "[::1]");
    private static final List<String> FORWARDED =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto");

    private Neighbour() {}

    /**
     * Whether host, origin and proxy headers speak for a caller on this machine.
     *
     * @param cors the pages of other origins that are let in as well
     */
    static boolean isCaller(HttpServletRequest request, Cors cors) {
        return isHost(request.getServerName())
                && isOrigin(request.getHeader("Origin"), cors)
                && FORWARDED.stream().noneMatch(name -> request.getHeader(name) != null);
    }

    private static boolean isOrigin(@Nullable String origin, Cors cors) {
        if (origin == null || cors.allows(origin)) {
            return true;
        }
        try {
            return isHost(URI.create(origin).getHost());
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static boolean isHost(@Nullable String host) {
        return host != null && HOSTS.contains(host.toLowerCase(Locale.ROOT));
    }
}
