package dev.ovation.web.problem;

import java.util.Arrays;

/** The kinds of problems that an answer of 400 or more can name. */
public enum ProblemCode {
    MALFORMED_REQUEST(400, "malformed-request", "The request is malformed"),
    INVALID_CURSOR(400, "invalid-cursor", "The cursor is not one of this list"),
    UNAUTHENTICATED(401, "unauthenticated", "The request has no valid credential"),
    FORBIDDEN(403, "forbidden", "The credential does not allow this"),
    REACTION_ALREADY_EXISTS(403, "reaction-already-exists", "The reaction is already there"),
    CONFLICTING_REACTION(403, "conflicting-reaction", "The reaction excludes another one"),
    MAX_UNIQ_REACTIONS(403, "max-uniq-reactions", "The entity shows too many kinds of reactions"),
    TOO_MANY_REACTIONS(403, "too-many-reactions", "The user has too many reactions on the entity"),
    CONSTRAINT_VIOLATED(403, "constraint-violated", "A constraint refuses the change"),
    ENTITY_LOCKED(403, "entity-locked", "The entity is locked"),
    USER_BANNED(403, "user-banned", "The user is banned"),
    REACTION_NOT_AVAILABLE(403, "reaction-not-available", "The reaction is not available now"),
    UNKNOWN_REACTION(403, "unknown-reaction", "The namespace has no such reaction"),
    /** The same code as {@link #UNKNOWN_NAMESPACE}: older clients expect 403 of a write. */
    UNKNOWN_NAMESPACE_ON_WRITE(403, "unknown-namespace", "There is no such namespace"),
    UNKNOWN_NAMESPACE(404, "unknown-namespace", "There is no such namespace"),
    NOT_FOUND(404, "not-found", "There is nothing at this path"),
    METHOD_NOT_ALLOWED(405, "method-not-allowed", "This path does not know the method"),
    NOT_ACCEPTABLE(406, "not-acceptable", "No form of the answer is acceptable"),
    REQUEST_TIMEOUT(408, "request-timeout", "The request did not arrive in time"),
    REACTION_ALREADY_DEFINED(409, "reaction-already-defined", "The reaction is already defined"),
    IDEMPOTENCY_IN_FLIGHT(409, "idempotency-in-flight", "The first request is still under way"),
    CONFIGURATION_LOSES_DATA(
            409, "configuration-loses-data", "A namespace that holds reactions would vanish"),
    CURSOR_EXPIRED(410, "cursor-expired", "Changes after the cursor are not kept any more"),
    PRECONDITION_FAILED(412, "precondition-failed", "The entity is in another state"),
    CONFIGURATION_CHANGED(412, "configuration-changed", "Another configuration is in force"),
    CONTENT_TOO_LARGE(413, "content-too-large", "The body is too large"),
    URI_TOO_LONG(414, "uri-too-long", "The request target is too long"),
    UNSUPPORTED_MEDIA_TYPE(415, "unsupported-media-type", "The body's type is not supported"),
    EXPECTATION_FAILED(417, "expectation-failed", "The expectation cannot be met"),
    IDEMPOTENCY_MISMATCH(422, "idempotency-mismatch", "The key belongs to another request"),
    INVALID_CONFIGURATION(422, "invalid-configuration", "The configuration is invalid"),
    RATE_LIMITED(429, "rate-limited", "The caller is at a limit"),
    REQUEST_HEADER_FIELDS_TOO_LARGE(
            431, "request-header-fields-too-large", "The request's header is too large"),
    INTERNAL(500, "internal", "An internal error"),
    NOT_IMPLEMENTED(501, "not-implemented", "The server does not implement this"),
    UNAVAILABLE(503, "unavailable", "The service is unavailable"),
    TOO_MANY_WATCHERS(503, "too-many-watchers", "The instance has its most streams"),
    OUTCOME_UNKNOWN(503, "outcome-unknown", "It is not known whether the change was made"),
    HTTP_VERSION_NOT_SUPPORTED(
            505, "http-version-not-supported", "The HTTP version is not supported");

    private final int status;
    private final String code;
    private final String title;

    ProblemCode(int status, String code, String title) {
        this.status = status;
        this.code = code;
        this.title = title;
    }

    /** The HTTP status, 400 or more. */
    public int status() {
        return status;
    }

    /** The word that clients compare, such as {@code malformed-request}. */
    public String code() {
        return code;
    }

    /** A sentence for people, without a full stop; the same for each problem of this kind. */
    public String title() {
        return title;
    }

    /**
     * The code of a problem of which only the HTTP status is known; {@link #MALFORMED_REQUEST} or
     * {@link #INTERNAL} stand for statuses that have none of their own.
     */
    public static ProblemCode ofStatus(int status) {
        return switch (status) {
            case 403, 410, 422 -> MALFORMED_REQUEST;
            case 404 -> NOT_FOUND;
            case 503 -> UNAVAILABLE;
            default ->
                    Arrays.stream(values())
                            .filter(code -> code.status == status)
                            .findFirst()
                            .orElse(status < 500 ? MALFORMED_REQUEST : INTERNAL);
        };
    }
}
