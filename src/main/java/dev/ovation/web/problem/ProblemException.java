package dev.ovation.web.problem;

import dev.ovation.entity.Bound;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.http.RequestId;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** An answer of 400 or more, as an exception; carries no stack trace, because it is no fault. */
public final class ProblemException extends RuntimeException {

    private static final Set<String> WRITES = Set.of("POST", "PUT", "DELETE", "PATCH");
    private static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(1);

    /** Status of a write that was answered with a problem. */
    public enum WriteStatus {
        /** Nothing was changed and nothing will be. */
        REFUSED,
        /** The change may have been made, or may still be made. */
        UNKNOWN
    }

    private final ProblemCode code;
    private final String detail;
    private final Map<String, Object> members;
    private final @Nullable Duration retryAfter;
    private final @Nullable WriteStatus outcome;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable Bound bound;

    /** A problem with nothing but a sentence. */
    public ProblemException(ProblemCode code, String detail) {
        this(code, detail, Map.of(), null, null);
    }

    /**
     * A problem.
     *
     * @param detail the sentence about this occurrence, for people; also the older {@code error}
     * @param members extension members, in the order in which they are written
     * @param retryAfter when to try again; without one, a 429 and a 503 say one second
     * @param outcome status of a write; without one, {@code unknown} for {@link
     *     ProblemCode#INTERNAL} and {@link ProblemCode#OUTCOME_UNKNOWN}, {@code refused} for other
     *     codes
     */
    public ProblemException(
            ProblemCode code,
            String detail,
            Map<String, ?> members,
            @Nullable Duration retryAfter,
            @Nullable WriteStatus outcome) {
        super(code.code() + ": " + detail, null, false, false);
        this.code = code;
        this.detail = detail;
        this.members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        this.retryAfter = retryAfter;
        this.outcome = outcome;
    }

    public ProblemCode code() {
        return code;
    }

    public String detail() {
        return detail;
    }

    /** The extension members, in order. */
    public Map<String, Object> members() {
        return members;
    }

    /** Returns when to try again; null for a problem that a later attempt does not solve. */
    public @Nullable Duration retryAfter() {
        if (code.status() == 503 || code == ProblemCode.RATE_LIMITED) {
            return retryAfter == null ? DEFAULT_RETRY_AFTER : retryAfter;
        }
        return null;
    }

    /** Adds a header to the answer. */
    public ProblemException header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** Records the bound that refused the request, for the metric. */
    public ProblemException at(Bound reached) {
        bound = reached;
        return this;
    }

    /** The same, when the failure behind it was one at a bound. */
    public ProblemException because(Throwable failure) {
        return failure instanceof Bound.Reached reached ? at(reached.bound()) : this;
    }

    /** Which bound refused; null when none did. */
    public @Nullable Bound bound() {
        return bound;
    }

    /** Returns the status of the write. */
    public WriteStatus outcome() {
        if (outcome != null) {
            return outcome;
        }
        return switch (code) {
            case INTERNAL, OUTCOME_UNKNOWN -> WriteStatus.UNKNOWN;
            default -> WriteStatus.REFUSED;
        };
    }

    /**
     * Returns the members of the problem for the body of another answer, including the write
     * status.
     */
    public Map<String, Object> body() {
        return body(true);
    }

    private Map<String, Object> body(boolean write) {
        var body = new LinkedHashMap<String, Object>();
        body.put("type", "urn:ovation:problem:" + code.code());
        body.put("title", code.title());
        body.put("status", code.status());
        body.put("detail", detail);
        body.put("code", code.code());
        body.put("error", detail);
        if (write) {
            body.put("outcome", outcome() == WriteStatus.UNKNOWN ? "unknown" : "refused");
        }
        body.putAll(members);
        return body;
    }

    /**
     * The answer to this request, which bears its id: {@code application/problem+json}, not kept.
     * It is noted for the {@link ProblemCounter}.
     */
    public HttpAnswer answer(HttpServletRequest request) {
        ProblemCounter.note(request, this);
        String id = RequestId.of(request);
        Map<String, Object> body = body(changesSomething(request));
        body.put(RequestId.NAME, id);
        HttpAnswer answer = HttpAnswer.problem(code.status(), body).header(RequestId.HEADER, id);
        headers.forEach(answer::header);
        Duration wait = retryAfter();
        if (wait != null) {
            long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
            answer.header("Retry-After", Long.toString(seconds));
        }
        return answer;
    }

    public static boolean changesSomething(HttpServletRequest request) {
        String method = request.getMethod();
        return method != null && WRITES.contains(method) && !Problems.changesNothing(request);
    }
}
