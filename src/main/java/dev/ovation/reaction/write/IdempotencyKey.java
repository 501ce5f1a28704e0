package dev.ovation.reaction.write;

import dev.ovation.web.problem.RequestViolations;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What tells a retry from another request.
 *
 * @param value as the client sent it: 1 to 255 visible ASCII characters; of an operation of a batch
 *     with a space and its index behind it
 * @param requestHash SHA-256, in hex, of what the client asks for: kind, ids, force and if_exists,
 *     but not the wished form of the answer
 */
public record IdempotencyKey(String value, String requestHash) {

    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,255}");

    /** What the client sent; null when nothing. */
    public static @Nullable String value(HttpServletRequest request, RequestViolations violations) {
        List<String> values = Collections.list(request.getHeaders("Idempotency-Key"));
        if (values.isEmpty()) {
            return null;
        }
        String value = values.getFirst().strip();
        if (values.size() > 1 || !FORM.matcher(value).matches()) {
            violations.add("Idempotency-Key", "must be one of 1 to 255 visible ASCII characters");
        }
        return value;
    }

    /**
     * A key of a request.
     *
     * @param value null for none
     * @param request what the client asks for
     */
    public static @Nullable IdempotencyKey of(@Nullable String value, Object... request) {
        return value == null ? null : new IdempotencyKey(value, hash(request));
    }

    /** A line for each part: ids hold no control characters, so nothing else reads the same. */
    private static String hash(Object... parts) {
        String lines = Arrays.stream(parts).map(Object::toString).collect(Collectors.joining("\n"));
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(lines.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
