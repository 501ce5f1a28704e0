package dev.ovation.entity;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The address of a user's picture. Only {@code https} is accepted, because clients load it within
 * pages that are loaded so.
 */
public final class AvatarUrl {

    private static final int MAX_BYTES = 2_048;

    /** The second half of a sentence about an invalid address. */
    public static final String VIOLATION =
            "must be an https URL with a host, of at most " + MAX_BYTES + " bytes";

    private AvatarUrl() {}

    /** Returns whether a text is such an address. */
    public static boolean isValid(String text) {
        if (Ids.problem(text, MAX_BYTES) != null) {
            return false;
        }
        try {
            var url = new URI(text);
            return "https".equalsIgnoreCase(url.getScheme())
                    && url.getHost() != null
                    && url.getUserInfo() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
