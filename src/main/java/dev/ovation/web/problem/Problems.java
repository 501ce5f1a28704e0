package dev.ovation.web.problem;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Problems of all use cases with their details. Details of the older Reactions Storage service are
 * kept, because its clients display them.
 */
public final class Problems {

    private static final String ONLY_READS = Problems.class.getName() + ".onlyReads";

    private Problems() {}

    /**
     * Notes that a request changes nothing, though it is posted: its problems then have no outcome.
     */
    public static void onlyReads(HttpServletRequest request) {
        request.setAttribute(ONLY_READS, true);
    }

    public static boolean changesNothing(HttpServletRequest request) {
        return request.getAttribute(ONLY_READS) != null;
    }

    /** 400: one field, query parameter, header, or {@code body}, is missing or ill-formed. */
    public static ProblemException malformed(String field, String message) {
        var violations = new RequestViolations();
        violations.add(field, message);
        return violations.problem();
    }

    /** 400: the cursor was not given for this question. */
    public static ProblemException invalidCursor() {
        return new ProblemException(
                ProblemCode.INVALID_CURSOR, "cursor is not one that was given for this question");
    }

    /** 410: some changes after the cursor were purged, or never logged. */
    public static ProblemException cursorExpired() {
        return new ProblemException(
                ProblemCode.CURSOR_EXPIRED,
                "changes after this cursor are not kept any more; begin without a cursor");
    }

    /**
     * 401: no credential was given.
     *
     * @param reason a sentence that says what to do
     */
    public static ProblemException unauthenticated(String reason) {
        return new ProblemException(ProblemCode.UNAUTHENTICATED, reason)
                .header("WWW-Authenticate", "Bearer realm=\"ovation\"");
    }

    /** 401: the credential is not accepted. */
    public static ProblemException invalidCredential(String reason) {
        return new ProblemException(ProblemCode.UNAUTHENTICATED, reason)
                .header("WWW-Authenticate", "Bearer realm=\"ovation\", error=\"invalid_token\"");
    }

    /** 401 for a caller without a credential, 403 otherwise: the caller lacks the scope. */
    public static ProblemException forbidden(Principal who, Scope scope) {
        String label = scope.label();
        return forbidden(who, "scope", label, "needs the scope " + label)
                .header(
                        "WWW-Authenticate",
                        who.isAnonymous()
                                ? "Bearer realm=\"ovation\""
                                : "Bearer realm=\"ovation\", error=\"insufficient_scope\","
                                        + " scope=\"%s\"".formatted(label));
    }

    /** 401 for a caller without a credential, 403 otherwise: the namespace is not allowed. */
    public static ProblemException forbiddenNamespace(Principal who, String namespace) {
        return forbidden(who, "namespace_id", namespace, "is not for this namespace");
    }

    /** 401 for a caller without a credential, 403 otherwise: the user is not allowed. */
    public static ProblemException forbiddenUser(Principal who, String user) {
        return forbidden(who, "user_id", user, "is for another user");
    }

    private static ProblemException forbidden(
            Principal who, String member, String value, String why) {
        if (who.isAnonymous()) {
            return unauthenticated(who.reason());
        }
        return new ProblemException(
                ProblemCode.FORBIDDEN, "the credential " + why, Map.of(member, value), null, null);
    }

    /** 403: the user has this reaction already. */
    public static ProblemException reactionAlreadyExists(String reaction, String user) {
        return new ProblemException(
                ProblemCode.REACTION_ALREADY_EXISTS,
                "reaction `%s` already exists for user `%s`".formatted(reaction, user));
    }

    /** 403: the user has reactions that exclude this one; {@code conflicting} names them. */
    public static ProblemException conflicting(String reaction, List<String> conflicting) {
        return new ProblemException(
                ProblemCode.CONFLICTING_REACTION,
                "reaction `%s` conflicts with other reactions: [%s]"
                        .formatted(reaction, String.join(" ", conflicting)),
                Map.of("conflicting", conflicting),
                null,
                null);
    }

    /** 403: the entity shows {@code limit} kinds of reactions, and this is none of them. */
    public static ProblemException maxUniqReactions(int limit) {
        return new ProblemException(
                ProblemCode.MAX_UNIQ_REACTIONS,
                "max unique reactions reached for entity",
                Map.of("limit", limit),
                null,
                null);
    }

    /** 403: the user would have more than {@code limit} reactions on the entity. */
    public static ProblemException tooManyReactions(int limit) {
        return new ProblemException(
                ProblemCode.TOO_MANY_REACTIONS,
                "a user may have %d reactions on an entity".formatted(limit),
                Map.of("limit", limit),
                null,
                null);
    }

    /**
     * 403: a constraint of the namespace refuses the change.
     *
     * @param constraint its id
     * @param message its message
     */
    public static ProblemException constraintViolated(String constraint, String message) {
        return new ProblemException(
                ProblemCode.CONSTRAINT_VIOLATED,
                message,
                Map.of("constraint", constraint),
                null,
                null);
    }

    /** 403: the entity takes no reactions, or not this one. */
    public static ProblemException entityLocked(String entity) {
        return new ProblemException(
                ProblemCode.ENTITY_LOCKED, "entity `%s` is locked".formatted(entity));
    }

    /**
     * 403: the user may not react.
     *
     * @param until the end of the ban, in RFC 3339 form; null when it has none
     */
    public static ProblemException userBanned(String user, @Nullable String until) {
        return new ProblemException(
                ProblemCode.USER_BANNED,
                "user `%s` is banned%s".formatted(user, until == null ? "" : " until " + until),
                until == null ? Map.of() : Map.of("until", until),
                null,
                null);
    }

    /**
     * 403: the reaction is outside its season, or the user is not in its audience.
     *
     * @param why the second half of the sentence, as in {@code is available from …}
     */
    public static ProblemException reactionNotAvailable(String reaction, String why) {
        return new ProblemException(
                ProblemCode.REACTION_NOT_AVAILABLE, "reaction `%s` %s".formatted(reaction, why));
    }

    /**
     * 409: the reaction set has another reaction of this id, or another set defines it otherwise.
     *
     * @param where the place of the other definition
     */
    public static ProblemException reactionAlreadyDefined(String reaction, String where) {
        return new ProblemException(
                ProblemCode.REACTION_ALREADY_DEFINED,
                "reaction `%s` is already defined in %s".formatted(reaction, where));
    }

    /** 404: the set has no such seasonal reaction. */
    public static ProblemException unknownSeasonalReaction(String reaction, String set) {
        return new ProblemException(
                ProblemCode.NOT_FOUND,
                "reaction set `%s` has no seasonal reaction `%s`".formatted(set, reaction));
    }

    /** 403: the namespace's set has no such reaction. */
    public static ProblemException unknownReaction(String reaction, String namespace) {
        return new ProblemException(
                ProblemCode.UNKNOWN_REACTION,
                "reaction `%s` is not available in namespace `%s`".formatted(reaction, namespace));
    }

    /** 404, to a read: there is no such namespace. */
    public static ProblemException unknownNamespace(String namespace) {
        return new ProblemException(ProblemCode.UNKNOWN_NAMESPACE, notFound(namespace));
    }

    /** 403, to a write: there is no such namespace. */
    public static ProblemException unknownNamespaceOnWrite(String namespace) {
        return new ProblemException(ProblemCode.UNKNOWN_NAMESPACE_ON_WRITE, notFound(namespace));
    }

    /** 409: the first request with this key has no answer yet. */
    public static ProblemException idempotencyInFlight() {
        return new ProblemException(
                ProblemCode.IDEMPOTENCY_IN_FLIGHT,
                "a request with this Idempotency-Key is still under way");
    }

    /** 422: the key was used for another request. */
    public static ProblemException idempotencyMismatch() {
        return new ProblemException(
                ProblemCode.IDEMPOTENCY_MISMATCH,
                "this Idempotency-Key was used for another request");
    }

    /** 422: a configuration that breaks its rules; {@code violations} are written as they are. */
    public static ProblemException invalidConfiguration(String detail, List<?> violations) {
        return new ProblemException(
                ProblemCode.INVALID_CONFIGURATION,
                detail,
                Map.of("violations", violations),
                null,
                null);
    }

    /**
     * 412: the client's state is not that of the entity; {@code entity} is.
     *
     * @param condition the header or member that names the client's state
     */
    public static ProblemException preconditionFailed(String condition, Object entity) {
        return new ProblemException(
                ProblemCode.PRECONDITION_FAILED,
                "the entity is in another state than %s names".formatted(condition),
                Map.of("entity", entity),
                null,
                null);
    }

    /** 404: no configuration of this version was ever in force. */
    public static ProblemException unknownVersion(long version) {
        return new ProblemException(
                ProblemCode.NOT_FOUND, "there is no version %d".formatted(version));
    }

    /** 412: the configuration in force is of another version than those that If-Match names. */
    public static ProblemException configurationChanged(long version) {
        return configurationChanged(
                "version %d is in force, which If-Match does not name".formatted(version), version);
    }

    /**
     * 412: the configuration files have another hash than the request names.
     *
     * @param version the version in force
     */
    public static ProblemException filesChanged(long version) {
        return configurationChanged(
                "the files are not those that files_hash names; repeat the dry run", version);
    }

    private static ProblemException configurationChanged(String detail, long version) {
        return new ProblemException(
                ProblemCode.CONFIGURATION_CHANGED, detail, Map.of("version", version), null, null);
    }

    /**
     * 409: namespaces that hold reactions would vanish.
     *
     * @param impact of the whole change
     */
    public static ProblemException configurationLosesData(List<String> namespaces, List<?> impact) {
        return new ProblemException(
                ProblemCode.CONFIGURATION_LOSES_DATA,
                "namespaces that hold reactions would vanish: %s; accept_loss=true accepts that"
                        .formatted(String.join(", ", namespaces)),
                Map.of("impact", impact),
                null,
                null);
    }

    /** 413: the body has more than {@code limit} bytes. */
    public static ProblemException contentTooLarge(long limit) {
        return new ProblemException(
                ProblemCode.CONTENT_TOO_LARGE,
                "the body has more than %d bytes".formatted(limit),
                Map.of("limit", limit),
                null,
                null);
    }

    /** 415: the body is of a type that the endpoint does not read; null for none at all. */
    public static ProblemException unsupportedContentType(@Nullable String type) {
        return new ProblemException(
                ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                "unsupported Content-Type: " + (type == null ? "" : type));
    }

    /**
     * 415: the body is compressed in a way that the endpoint does not read.
     *
     * @param accepted the codings that it reads, separated by commas
     */
    public static ProblemException unsupportedContentEncoding(String encoding, String accepted) {
        return new ProblemException(
                        ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                        "unsupported Content-Encoding: " + encoding)
                .header("Accept-Encoding", accepted);
    }

    /**
     * 429: the request would go beyond a limit of its caller; nothing was changed.
     *
     * @param policy the name of the limit
     * @param retryAfter when the same request fits
     */
    public static ProblemException rateLimited(String policy, String detail, Duration retryAfter) {
        return new ProblemException(
                ProblemCode.RATE_LIMITED, detail, Map.of("policy", policy), retryAfter, null);
    }

    /** 503: nothing was changed; try again after the given time. */
    public static ProblemException unavailable(String detail, Duration retryAfter) {
        return new ProblemException(ProblemCode.UNAVAILABLE, detail, Map.of(), retryAfter, null);
    }

    /** 503: the instance serves {@code limit} streams; another one may have room. */
    public static ProblemException tooManyWatchers(int limit, Duration retryAfter) {
        return new ProblemException(
                ProblemCode.TOO_MANY_WATCHERS,
                "this instance serves %d streams at most".formatted(limit),
                Map.of("limit", limit),
                retryAfter,
                null);
    }

    /** 404: a stream of this id is not served by this instance. */
    public static ProblemException unknownStream() {
        return new ProblemException(
                ProblemCode.NOT_FOUND, "stream_id is not one of a stream of this instance");
    }

    /** 503: the change may or may not have been made; see after the given time. */
    public static ProblemException outcomeUnknown(String detail, Duration retryAfter) {
        return new ProblemException(
                ProblemCode.OUTCOME_UNKNOWN, detail, Map.of(), retryAfter, null);
    }

    private static String notFound(String namespace) {
        return "Namespace `%s` not found".formatted(namespace);
    }
}
