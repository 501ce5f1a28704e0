package dev.ovation.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Collects what is wrong with one request, so that all of it is answered at once. */
public final class Violations {

    private final Map<String, String> messages = new LinkedHashMap<>();

    private record Violation(String field, String message) {}

    /**
     * Notes what is wrong with a field; of several about one field the first is kept.
     *
     * @param field the member's, parameter's or header's name, or {@code body}
     * @param message what continues a sentence that begins with the field's name
     */
    public void add(String field, String message) {
        messages.putIfAbsent(field, message);
    }

    /**
     * Returns when nothing was noted.
     *
     * @throws ProblemException 400 {@code malformed-request} naming every field
     */
    public void throwIfAny() {
        if (!messages.isEmpty()) {
            throw problem();
        }
    }

    ProblemException problem() {
        List<Violation> violations =
                messages.entrySet().stream()
                        .map(entry -> new Violation(entry.getKey(), entry.getValue()))
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
