package dev.ovation.reaction.write;

import dev.ovation.entity.Sha256;
import dev.ovation.rules.Traits;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

    /**
     * Returns the key of a request.
     *
     * @param value null for none
     * @param request parts of the request
     */
    public static @Nullable IdempotencyKey of(@Nullable String value, Object... request) {
        return value == null ? null : new IdempotencyKey(value, hash(request));
    }

    /** Returns the key of the same request with traits of its user. */
    IdempotencyKey with(Traits traits) {
        return new IdempotencyKey(
                value,
                hash(
                        requestHash,
                        String.valueOf(traits.age()),
                        String.valueOf(traits.gender()),
                        String.valueOf(traits.country()),
                        String.valueOf(traits.platform())));
    }

    /**
     * Hashes one line for each part: ids hold no control characters, so the text is unambiguous.
     */
    private static String hash(Object... parts) {
        String lines = Arrays.stream(parts).map(Object::toString).collect(Collectors.joining("\n"));
        return Sha256.hex(lines.getBytes(StandardCharsets.UTF_8));
    }
}
