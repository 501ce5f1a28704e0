package dev.ovation.web.problem;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Collects all violations of one request for a single answer. */
public final class RequestViolations {

    private final Map<String, String> messages = new LinkedHashMap<>();
    private @Nullable ProblemException refusal;

    private record FieldViolation(String field, String message) {}

    /**
     * Records a violation of a field; the first one for each field is kept.
     *
     * @param field the member's, parameter's or header's name, or {@code body}
     * @param message the rest of a sentence that begins with the field's name
     */
    public void add(String field, String message) {
        messages.putIfAbsent(field, message);
    }

    /** Notes that the caller may not do this; of several refusals the first is kept. */
    public void refuse(ProblemException problem) {
        if (refusal == null) {
            refusal = problem;
        }
    }

    /** Takes back what {@link #throwIfAny} would refuse; null when it would not. */
    public @Nullable ProblemException takeRefusal() {
        ProblemException taken = refusal;
        refusal = null;
        return taken;
    }

    /**
     * Returns when nothing was noted.
     *
     * @throws ProblemException 400 {@code malformed-request} with every invalid field; if there is
     *     none, the recorded 401 or 403
     */
    public void throwIfAny() {
        if (!messages.isEmpty()) {
            throw problem();
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    ProblemException problem() {
        List<FieldViolation> violations =
                messages.entrySet().stream()
                        .map(entry -> new FieldViolation(entry.getKey(), entry.getValue()))
                        .toList();
        String detail =
                violations.stream()
                        .map(violation -> violation.field + " " + violation.message)
                        .collect(Collectors.joining("; "));
        return new ProblemException(
                ProblemCode.MALFORMED_REQUEST,
                detail,
                Map.of("violations", violations),
                null,
                null);
    }
}
