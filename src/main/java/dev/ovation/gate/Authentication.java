package dev.ovation.gate;

import dev.ovation.access.Principal;
import dev.ovation.credential.AccessSettings;
import dev.ovation.credential.CredentialException;
import dev.ovation.credential.Credentials;
import dev.ovation.credential.Credentials.CredentialCheck;
import dev.ovation.gate.cors.Cors;
import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Enumeration;
import java.util.Set;

/** Determines the caller of a request by its credential or its origin. */
final class Authentication {

    private static final Duration SOON = Duration.ofSeconds(1);
    private static final String BEARER = "Bearer ";

    private final Exposure exposure;
    private final Credentials credentials;
    private final RateLimiter throttle;
    private final Principal open = Principal.open();
    private final Principal stranger;

    Authentication(
            Exposure exposure,
            Credentials credentials,
            AccessSettings settings,
            RateLimiter throttle) {
        this.exposure = exposure;
        this.credentials = credentials;
        this.throttle = throttle;
        this.stranger =
                switch (exposure) {
                    case LOOPBACK ->
                            Principal.anonymous(
                                    Set.of(),
                                    "without a credential the service is open to callers on its"
                                            + " own machine only, with a loopback Host and no"
                                            + " other Origin; to let others in, "
                                            + Exposure.REMEDY);
                    case CLOSED ->
                            Principal.anonymous(
                                    Set.of(),
                                    "the service has no credential to accept; " + Exposure.REMEDY);
                    case OPEN ->
                            Principal.anonymous(
                                    Set.of(),
                                    "pages of other sites are served only where"
                                            + " ovation.cors.allowed-origins names their origin");
                    case GUARDED ->
                            Principal.anonymous(
                                    settings.anonymous(),
                                    "an API key or a token is needed, as Authorization: Bearer");
                };
    }

    Exposure exposure() {
        return exposure;
    }

    /**
     * The caller of a request.
     *
     * @param cors the pages of other origins that are let in without a credential where callers on
     *     this machine are
     * @throws ProblemException 400 when it has several credentials, 401 when the one is not
     *     accepted, 429 when its address has tried too many, 503 when it cannot be judged now
     */
    Principal caller(HttpServletRequest request, Cors cors) {
        return switch (exposure) {
            case OPEN -> LocalCallers.isForeignPage(request, cors) ? stranger : open;
            case LOOPBACK -> LocalCallers.isCaller(request, cors) ? open : stranger;
            case CLOSED -> stranger;
            case GUARDED -> guarded(request);
        };
    }

    private Principal guarded(HttpServletRequest request) {
        String authorization = one("Authorization", request);
        String key = one("X-Api-Key", request);
        if (authorization != null && key != null) {
            throw several(request);
        }
        try {
            if (key != null) {
                return credentials.resolveKey(key, attempt(request));
            }
            return authorization == null
                    ? stranger
                    : credentials.resolve(token(authorization, request), attempt(request));
        } catch (CredentialException e) {
            String reason = String.valueOf(e.getMessage());
            throw e.isUnavailable()
                    ? Problems.unavailable(reason, SOON)
                    : Problems.invalidCredential(reason);
        }
    }

    /** A signature check takes up to 1 ms, so checks are limited for each address. */
    private CredentialCheck attempt(HttpServletRequest request) {
        return new CredentialCheck() {
            @Override
            public void begins() {
                throttle.attempt(request);
            }

            @Override
            public void takenBack() {
                throttle.takeBack(request);
            }
        };
    }

    private String token(String authorization, HttpServletRequest request) {
        if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throttle.attempt(request);
            throw Problems.invalidCredential("Authorization must be Bearer and one credential");
        }
        return authorization.substring(BEARER.length()).strip();
    }

    private @Nullable String one(String name, HttpServletRequest request) {
        Enumeration<String> values = request.getHeaders(name);
        if (!values.hasMoreElements()) {
            return null;
        }
        String value = values.nextElement();
        if (values.hasMoreElements()) {
            throw several(request);
        }
        return value;
    }

    private ProblemException several(HttpServletRequest request) {
        throttle.attempt(request);
        return Problems.malformed("Authorization", "must be the only credential of the request")
                .header("WWW-Authenticate", "Bearer realm=\"ovation\", error=\"invalid_request\"");
    }
}
