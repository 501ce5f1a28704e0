package dev.ovation.web.request;

import dev.ovation.web.problem.RequestViolations;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** Header {@code Idempotency-Key}. */
public final class IdempotencyHeader {

    private static final String NAME = "Idempotency-Key";
    private static final String MESSAGE = "must be one of 1 to 255 visible ASCII characters";
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,255}");

    private IdempotencyHeader() {}

    /** Returns the key of a request, or null if it has none; adds a violation if it is invalid. */
    public static @Nullable String read(HttpServletRequest request, RequestViolations violations) {
        List<String> values = Collections.list(request.getHeaders(NAME));
        if (values.isEmpty()) {
            return null;
        }
        if (values.size() > 1) {
            violations.add(NAME, MESSAGE);
        }
        return check(NAME, values.getFirst().strip(), violations);
    }

    /** Returns a key that a field has; adds a violation if the key is invalid. */
    public static String check(String field, String value, RequestViolations violations) {
        if (!FORM.matcher(value).matches()) {
            violations.add(field, MESSAGE);
        }
        return value;
    }
}
