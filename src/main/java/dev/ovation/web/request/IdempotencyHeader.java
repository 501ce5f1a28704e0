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
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,255}");

    private IdempotencyHeader() {}

    /** Returns the key of a request, or null if it has none; adds a violation if it is invalid. */
    public static @Nullable String read(HttpServletRequest request, RequestViolations violations) {
        List<String> values = Collections.list(request.getHeaders(NAME));
        if (values.isEmpty()) {
            return null;
        }
        String value = values.getFirst().strip();
        if (values.size() > 1 || !FORM.matcher(value).matches()) {
            violations.add(NAME, "must be one of 1 to 255 visible ASCII characters");
        }
        return value;
    }
}
