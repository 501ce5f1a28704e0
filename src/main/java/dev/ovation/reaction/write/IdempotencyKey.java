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
 * The key by which a client marks retries, and the hash that distinguishes a retry from another
 * request.
 *
 * @param value key as the client sent it: 1 to 255 visible ASCII characters; the key of an
 *     operation of a batch ends with a space and its index
 * @param requestHash SHA-256, in hex, of the request: kind, ids, force and if_exists, but not the
 *     preferred form of the answer
 */
public record IdempotencyKey(String value, String requestHash) {

    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,255}");

    /** Returns the key that the client sent, or null. */
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
     * Returns the key of a request.
     *
     * @param value null for none
     * @param request parts of the request
     */
    public static @Nullable IdempotencyKey of(@Nullable String value, Object... request) {
        return value == null ? null : new IdempotencyKey(value, hash(request));
    }

    /**
     * Hashes one line for each part: ids hold no control characters, so the text is unambiguous.
     */
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
