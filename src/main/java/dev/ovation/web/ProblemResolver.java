package dev.ovation.web;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.guard.ScopeCheck;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.InternalErrors;
import dev.ovation.web.problem.PostgresFailures;
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
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;

import java.io.IOException;
import java.util.Set;

/** Answers every exception of every handler, the actuator's too, with a problem. */
final class ProblemResolver implements HandlerExceptionResolver, Ordered {

    private static final Logger log = LoggerFactory.getLogger(ProblemResolver.class);

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
        ProblemException failure =
                PostgresFailures.problem(exception, ProblemException.changesSomething(request));
        if (failure != null) {
            return failure;
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

    private static void log(Exception exception, HttpServletRequest request) {
        Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        InternalErrors.log(request.getMethod() + " " + pattern, exception);
    }
}
