package dev.ovation.gate;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.entity.Ids;
import dev.ovation.web.guard.ScopeCheck;
import dev.ovation.web.http.RequestId;
import dev.ovation.web.http.RequestSpan;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.HandlerMapping;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The audit trail: one line of the logger {@code ovation.access} for each call that demanded a
 * scope of operators, granted or refused. A line names no user and no entity. A call without an
 * accepted credential is no line, nor is one of a user's token that lacks the scope, because any of
 * these callers could fill the log; {@code ovation.problems} counts them.
 */
final class AuditTrail {

    private static final Logger LOG = LoggerFactory.getLogger("ovation.access");
    private static final Pattern JOB = Pattern.compile("(?:/jobs\\?job_id=)?(\\d{1,18})");

    private AuditTrail() {}

    /**
     * Writes the line of a call that has ended, if it needs one.
     *
     * @param status what the call is answered
     */
    static void end(HttpServletRequest request, HttpServletResponse response, int status) {
        Scope scope = ScopeCheck.noted(request);
        Principal who = Principal.of(request);
        boolean isUsers = who.user() != null;
        if (scope == null || who.isAnonymous() || (isUsers && !who.may(scope))) {
            return;
        }
        var fields = new LinkedHashMap<String, Object>();
        fields.put("principal", who.getName());
        fields.put("scope", scope.label());
        fields.put("method", request.getMethod());
        Object route = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        fields.put("route", String.valueOf(route));
        String namespace = given("namespace_id", request);
        if (namespace != null && Ids.isNamespace(namespace)) {
            fields.put("namespace_id", namespace);
        }
        String job = job(request, response);
        if (job != null) {
            fields.put("job_id", job);
        }
        fields.put("status", status);
        try (var _ = RequestSpan.entered(request)) {
            log(fields, RequestId.of(request));
        }
    }

    /** Structured logs have the request's id from the MDC, and must not have it twice. */
    private static void log(Map<String, Object> fields, String request) {
        var line = LOG.atInfo();
        for (var field : fields.entrySet()) {
            line = line.addKeyValue(field.getKey(), field.getValue());
        }
        String text =
                fields.entrySet().stream().map(Object::toString).collect(Collectors.joining(" "));
        line.log("{} {}={}", text, RequestId.NAME, request);
    }

    /** The job that was asked for, or that the answer names as begun. */
    private static @Nullable String job(HttpServletRequest request, HttpServletResponse response) {
        String asked = given("job_id", request);
        String named = asked == null ? response.getHeader("Location") : asked;
        Matcher job = JOB.matcher(named == null ? "" : named);
        return job.matches() ? job.group(1) : null;
    }

    private static @Nullable String given(String name, HttpServletRequest request) {
        try {
            return QueryString.of(request).nonEmpty(name);
        } catch (ProblemException _) {
            return null; // the answer already reports the malformed query
        }
    }
}
