package dev.ovation.web;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.guard.ScopeCheck;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemCounter;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.Ordered;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** Answers every exception of every handler, the actuator's too, with a problem. */
final class ProblemResolver implements HandlerExceptionResolver, Ordered {

    private static final Logger log = LoggerFactory.getLogger(ProblemResolver.class);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final RateLimiter throttle;

    ProblemResolver(RateLimiter throttle) {
        this.throttle = throttle;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public ModelAndView resolveException(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable Object handler,
            Exception exception) {
        ProblemException problem = problem(exception, request, response);
        if (response.isCommitted()) {
            breakOff(exception, problem, request);
        } else {
            response.resetBuffer();
            try {
                problem.answer(request).writeTo(request, response);
            } catch (IOException e) {
                log.debug("Client closed the connection before the answer", e);
            }
        }
        return new ModelAndView();
    }

    /** After a failed read or write the client left, or the container has taken over. */
    private static void breakOff(
            Exception exception, ProblemException problem, HttpServletRequest request) {
        if (exception instanceof IOException) {
            return;
        }
        ProblemCounter.note(request, problem);
        if (request.getAttribute(HttpAnswer.CONTAINER) instanceof HttpAnswer.Container container) {
            container.breakOff();
        }
    }

    private ProblemException problem(
            Exception exception, HttpServletRequest request, HttpServletResponse response) {
        if (exception instanceof ProblemException problem) {
            return problem;
        }
        if (exception instanceof IllegalArgumentException && namesSeveralTypes(request)) {
            return ScopeCheck.isStranger(request)
                    ? toStranger(request, response)
                    : Problems.malformed("Content-Type", "must name one type");
        }
        if (exception instanceof ErrorResponse known && known.getStatusCode().is4xxClientError()) {
            if (ScopeCheck.isStranger(request)) {
                return toStranger(request, response);
            }
            return problem(known);
        }
        if (exception instanceof DataAccessException || exception instanceof TransactionException) {
            log.warn("Postgres query failed: {}", exception.getClass().getSimpleName());
            ProblemException problem =
                    mayBeCommitted(exception) && ProblemException.changesSomething(request)
                            ? Problems.outcomeUnknown("Postgres did not confirm", SOON)
                            : Problems.unavailable("Postgres cannot be asked now", SOON);
            return problem.because(exception);
        }
        if (exception instanceof TypeMismatchException
                || exception instanceof HttpMessageNotReadableException
                || exception instanceof InvalidParameterException) {
            return generic(ProblemCode.MALFORMED_REQUEST);
        }
        if (!(exception instanceof IOException && response.isCommitted())) {
            log(exception, request);
        }
        return generic(ProblemCode.INTERNAL);
    }

    /** Answers and counts the request as one for a handler that is there. */
    private ProblemException toStranger(HttpServletRequest request, HttpServletResponse response) {
        try {
            throttle.charge(request, response, Scope.OPERATE);
        } catch (ProblemException limited) {
            return limited;
        }
        return Problems.unauthenticated(Principal.of(request).reason());
    }

    /** Spring fails to read the headers of such a request. */
    private static boolean namesSeveralTypes(HttpServletRequest request) {
        String type = request.getContentType();
        return type != null && type.split(";", 2)[0].indexOf('*') >= 0;
    }

    /** A connection that breaks may do so after a commit, before it is confirmed. */
    private static boolean mayBeCommitted(Exception exception) {
        return switch (exception) {
            case CannotGetJdbcConnectionException _, CannotCreateTransactionException _ -> false;
            case DataAccessResourceFailureException _, TransactionException _ -> true;
            default -> false;
        };
    }

    private static ProblemException problem(ErrorResponse known) {
        ProblemException problem = generic(ProblemCode.ofStatus(known.getStatusCode().value()));
        Set<HttpMethod> allowed = known.getHeaders().getAllow();
        return allowed.isEmpty()
                ? problem
                : problem.header(HttpHeaders.ALLOW, AllowFilter.value(allowed));
    }

    private static ProblemException generic(ProblemCode code) {
        return code == ProblemCode.MALFORMED_REQUEST
                ? Problems.malformed("request", "has a part that cannot be read")
                : new ProblemException(code, code.title());
    }

    /**
     * Logs without exception messages, because messages of drivers quote ids; DEBUG has the
     * messages.
     */
    private static void log(Exception exception, HttpServletRequest request) {
        Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        log.error("{} {} failed", request.getMethod(), pattern, withoutMessages(exception));
        log.debug("Exception detail of the failed request", exception);
    }

    private static Throwable withoutMessages(Throwable exception) {
        Throwable cause = exception.getCause();
        var copy =
                new RuntimeException(
                        exception.getClass().getName(),
                        cause == null ? null : withoutMessages(cause));
        copy.setStackTrace(exception.getStackTrace());
        return copy;
    }
}
