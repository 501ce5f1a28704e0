package dev.ovation.web.request;

import dev.ovation.web.http.Json;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;

/**
 * JSON object in the body of a request; the Content-Type is ignored. Member names are exact;
 * unknown members are ignored.
 */
public final class JsonBody {

    private final JsonNode object;
    private final String path;

    /**
     * An object within a body.
     *
     * @param path prefix of member names in violations
     */
    public JsonBody(JsonNode object, String path) {
        this.object = object;
        this.path = path;
    }

    /**
     * Reads the body as one JSON object.
     *
     * @param limit the most bytes it may have, counted as they arrive
     * @throws ProblemException 400 when the body is empty or not one object, 413 when it exceeds
     *     the limit
     * @throws IOException when it does not arrive; the container then answers (408, or 400 for
     *     broken chunks)
     */
    public static JsonBody read(HttpServletRequest request, long limit) throws IOException {
        JsonBody body = readIfAny(request, limit);
        if (body == null) {
            throw Problems.malformed("body", "is empty, a JSON object is expected");
        }
        return body;
    }

    /** As {@link #read}, but null for a body without any byte. */
    public static @Nullable JsonBody readIfAny(HttpServletRequest request, long limit)
            throws IOException {
        byte[] bytes = bytes(request, limit);
        return bytes.length == 0 ? null : parse(bytes);
    }

    /**
     * The bytes of the body, which must not be compressed.
     *
     * @throws ProblemException 413 when there are more than {@code limit}; 415 when they have a
     *     Content-Encoding
     * @throws IOException when they do not arrive
     */
    public static byte[] bytes(HttpServletRequest request, long limit) throws IOException {
        String encoding = request.getHeader("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw Problems.unsupportedContentEncoding(encoding, "identity");
        }
        long length = request.getContentLengthLong();
        if (length > limit) {
            throw Problems.contentTooLarge(limit);
        }
        // One byte beyond the limit detects an excess. Allocation grows in steps of 16 KB.
        int most = Math.toIntExact((length < 0 ? limit : length) + 1);
        byte[] bytes = request.getInputStream().readNBytes(most);
        if (bytes.length > limit) {
            throw Problems.contentTooLarge(limit);
        }
        return bytes;
    }

    /**
     * The member's text, which may be empty; null when it is absent or null, and, after noting it
     * as a violation, when it is no string.
     */
    public @Nullable String text(String name, RequestViolations violations) {
        JsonNode value = member(name);
        if (value == null) {
            return null;
        }
        if (!value.isString()) {
            violations.add(path + name, "must be a string");
            return null;
        }
        return value.stringValue();
    }

    /** A boolean, false when it is absent or, after noting it as a violation, is none. */
    public boolean flag(String name, RequestViolations violations) {
        JsonNode value = member(name);
        if (value != null && !value.isBoolean()) {
            violations.add(path + name, "must be true or false");
            return false;
        }
        return value != null && value.booleanValue();
    }

    /**
     * A whole number, as JSON Schema counts it: {@code 5.0} is one. Null when the member is absent
     * or null, and, after noting it as a violation, when it is none.
     *
     * @param least smallest number that is allowed
     * @param most greatest number that is allowed
     */
    public @Nullable Integer number(
            String name, int least, int most, RequestViolations violations) {
        JsonNode value = member(name);
        if (value == null) {
            return null;
        }
        int number = value.canConvertToInt() ? value.intValue() : -1;
        if (!value.canConvertToInt() || number < least || number > most) {
            violations.add(
                    path + name, "must be a whole number from %d to %d".formatted(least, most));
            return null;
        }
        return number;
    }

    /** The member; null when it is absent or null. */
    public @Nullable JsonNode member(String name) {
        JsonNode value = object.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private static JsonBody parse(byte[] bytes) {
        JsonNode node;
        try {
            node = Json.read(bytes);
        } catch (CharacterCodingException e) {
            throw Problems.malformed("body", "is not UTF-8");
        } catch (JacksonException e) {
            throw Problems.malformed("body", Json.problem(e));
        }
        if (!node.isObject()) {
            throw Problems.malformed("body", "must be a JSON object");
        }
        return new JsonBody(node, "");
    }
}
