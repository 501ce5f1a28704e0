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

    private final long maxAge;

    /**
     * Lets caches serve an answer for some time without asking.
     *
     * @param maxAge counts in whole seconds
     */
    public SharedCaching(Duration maxAge) {
        this.maxAge = maxAge.toSeconds();
    }

    /** Sets the headers of an answer to this request, and returns it. */
    public HttpAnswer mark(HttpAnswer answer, HttpServletRequest request) {
        return mark(answer, request, maxAge);
    }

    /**
     * Sets the headers of an answer that may change before the usual time.
     *
     * @param most greatest number of seconds that a cache may serve it
     */
    public HttpAnswer mark(HttpAnswer answer, HttpServletRequest request, long most) {
        Principal who = Principal.of(request);
        String scope = who.isEverybody() ? "public" : "private";
        answer.header("Cache-Control", scope + ", max-age=" + Math.min(maxAge, most));
        if (who.isAnonymous()) {
            // A cached answer for every caller is not that of a credential.
            answer.header("Vary", "Authorization, X-Api-Key");
            Charge.removeHeaders(request);
        }
        return answer;
    }
}
