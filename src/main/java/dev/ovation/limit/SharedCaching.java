package dev.ovation.limit;

import dev.ovation.access.Principal;
import dev.ovation.web.http.HttpAnswer;

import jakarta.servlet.http.HttpServletRequest;

import java.time.Duration;

/**
 * Cache headers of answers that are the same for all callers who may read them: public where no
 * credential is needed, else private.
 */
public final class SharedCaching {

    private final String forEverybody;
    private final String forThisCaller;

    /**
     * Lets caches serve an answer for some time without asking.
     *
     * @param maxAge counts in whole seconds
     */
    public SharedCaching(Duration maxAge) {
        this.forEverybody = "public, max-age=" + maxAge.toSeconds();
        this.forThisCaller = "private, max-age=" + maxAge.toSeconds();
    }

    /** Sets the headers of an answer to this request, and returns it. */
    public HttpAnswer mark(HttpAnswer answer, HttpServletRequest request) {
        Principal who = Principal.of(request);
        answer.header("Cache-Control", who.isEverybody() ? forEverybody : forThisCaller);
        if (who.isAnonymous()) {
            // A cached answer for every caller is not that of a credential.
            answer.header("Vary", "Authorization, X-Api-Key");
            Charge.removeHeaders(request);
        }
        return answer;
    }
}
