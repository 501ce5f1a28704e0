package dev.ovation.web.problem;

import dev.ovation.entity.Bound;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Counts problems in {@code ovation.problems}. Problems are recorded on the request; a valve in
 * front of all requests counts each once.
 */
public final class ProblemCounter {

    private static final String ATTRIBUTE = ProblemCounter.class.getName();

    private final MeterProvider<Counter> counters;

    /** The problems of one request. */
    private record RequestProblems(List<ProblemException> problems) {}

    /** Counts in this registry, in which each kind is shown from now on. */
    public ProblemCounter(MeterRegistry registry) {
        counters =
                Counter.builder("ovation.problems")
                        .description("Problems in answers, including single operations of batches")
                        .withRegistry(registry);
        for (ProblemCode code : ProblemCode.values()) {
            var _ = counter(code, null);
        }
        for (Bound bound : Bound.values()) {
            var _ = counter(ProblemCode.UNAVAILABLE, bound);
        }
    }

    /**
     * Records a problem that {@link ProblemException#answer} does not write, such as one operation
     * of a batch.
     */
    public static void note(HttpServletRequest request, ProblemException problem) {
        if (request.getAttribute(ATTRIBUTE) instanceof RequestProblems noted) {
            noted.problems.add(problem);
        } else {
            request.setAttribute(ATTRIBUTE, new RequestProblems(new ArrayList<>(List.of(problem))));
        }
    }

    /** Counts what was noted on a request. */
    public void count(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof RequestProblems noted) {
            noted.problems.forEach(this::count);
            request.removeAttribute(ATTRIBUTE);
        }
    }

    /** Counts a problem of a call that is no request of HTTP. */
    public void count(ProblemException problem) {
        counter(problem.code(), problem.bound()).increment();
    }

    private Counter counter(ProblemCode code, @Nullable Bound bound) {
        String cause = bound == null ? "none" : bound.name().toLowerCase(Locale.ROOT);
        return counters.withTags("code", code.code(), "cause", cause);
    }
}
