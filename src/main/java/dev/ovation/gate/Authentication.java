package dev.ovation.gate;

import dev.ovation.access.Principal;
import dev.ovation.credential.AccessSettings;
import dev.ovation.credential.CredentialException;
import dev.ovation.credential.Credentials;
import dev.ovation.credential.Credentials.CredentialCheck;
import dev.ovation.gate.cors.Cors;
import dev.ovation.web.guard.IncomingCall;
import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Iterator;
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
     * The caller of a call.
     *
     * @param cors the pages of other origins that are let in without a credential where callers on
     *     this machine are
     * @throws ProblemException 400 when it has several credentials, 401 when the one is not
     *     accepted, 429 when its address has tried too many, 503 when it cannot be judged now
     */
    Principal caller(IncomingCall call, Cors cors) {
        return switch (exposure) {
            case OPEN -> LocalCallers.isForeignPage(call, cors) ? stranger : open;
            case LOOPBACK -> LocalCallers.isCaller(call, cors) ? open : stranger;
            case CLOSED -> stranger;
            case GUARDED -> guarded(call);
        };
    }

    private Principal guarded(IncomingCall call) {
        String authorization = one("Authorization", call);
        String key = one("X-Api-Key", call);
        if (authorization != null && key != null) {
            throw several(call);
        }
        try {
            if (key != null) {
                return credentials.resolveKey(key, attempt(call));
            }
            return authorization == null
                    ? stranger
                    : credentials.resolve(token(authorization, call), attempt(call));
        } catch (CredentialException e) {
            String reason = String.valueOf(e.getMessage());
            throw e.isUnavailable()
                    ? Problems.unavailable(reason, SOON)
                    : Problems.invalidCredential(reason);
        }
    }

    /** A signature check takes up to 1 ms, so checks are limited for each address. */
    private CredentialCheck attempt(IncomingCall call) {
        return new CredentialCheck() {
            @Override
            public void begins() {
                throttle.attempt(call.address());
            }

            @Override
            public void takenBack() {
                throttle.takeBack(call.address());
            }
        };
    }

    private String token(String authorization, IncomingCall call) {
        if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throttle.attempt(call.address());
            throw Problems.invalidCredential("Authorization must be Bearer and one credential");
        }
        return authorization.substring(BEARER.length()).strip();
    }

    private @Nullable String one(String name, IncomingCall call) {
        Iterator<String> values = call.headers(name);
        if (!values.hasNext()) {
            return null;
        }
        String value = values.next();
        if (values.hasNext()) {
            throw several(call);
        }
        return value;
    }

    private ProblemException several(IncomingCall call) {
        throttle.attempt(call.address());
        return Problems.malformed("Authorization", "must be the only credential of the request")
                .header("WWW-Authenticate", "Bearer realm=\"ovation\", error=\"invalid_request\"");
    }
}
