package dev.ovation.gate;

import dev.ovation.gate.cors.Cors;
import dev.ovation.web.guard.IncomingCall;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Distinguishes a request of this machine from one that a web page or a proxy sent. The address of
 * the caller must be a loopback one. A page of another site names itself as {@code Origin} or is
 * named by {@code Sec-Fetch-Site}; one whose name was made to point here names that as {@code
 * Host}; a proxy says {@code Forwarded}.
 */
final class LocalCallers {

    private static final Set<String> HOSTS = Set.of("localhost", "::1", "[::1]");
    private static final Pattern LOOPBACK = Pattern.compile("127(\\.\\d{1,3}){3}");
    private static final Set<String> ADDRESSES = Set.of("::1", "0:0:0:0:0:0:0:1");
    private static final List<String> FORWARDED =
            List.of(
                    "Forwarded",
                    "Via",
                    "X-Real-IP",
                    "X-Forwarded-For",
                    "X-Forwarded-Host",
                    "X-Forwarded-Port",
                    "X-Forwarded-Proto");

    private LocalCallers() {}

    /**
     * Whether address, host, origin and proxy headers speak for a caller on this machine.
     *
     * @param cors the pages of other origins that are let in as well
     */
    static boolean isCaller(IncomingCall call, Cors cors) {
        return isAddress(call.address())
                && isHost(call.host())
                && isOrigin(call.header("Origin"), cors)
                && !isForeignPage(call, cors)
                && FORWARDED.stream().noneMatch(name -> call.header(name) != null);
    }

    /** Whether a browser says that a page of another site sent it, and not one that is let in. */
    static boolean isForeignPage(IncomingCall call, Cors cors) {
        if (!"cross-site".equals(call.header("Sec-Fetch-Site"))) {
            return false;
        }
        String origin = call.header("Origin");
        return origin == null || !cors.allows(origin);
    }

    private static boolean isAddress(@Nullable String address) {
        return address != null
                && (LOOPBACK.matcher(address).matches() || ADDRESSES.contains(address));
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
        return host != null
                && (LOOPBACK.matcher(host).matches()
                        || HOSTS.contains(host.toLowerCase(Locale.ROOT)));
    }
}
