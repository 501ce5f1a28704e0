package dev.ovation.web.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Complete HTTP answer: status, headers and bytes. Methods of a {@code @Controller} (not of a
 * {@code @RestController}) return it. The default of Cache-Control is {@code no-store}.
 */
public final class HttpAnswer {

    /** The request's attribute that holds a {@link Container}, when the container offers one. */
    public static final String CONTAINER = HttpAnswer.class.getName() + ".container";

    private static final Pattern ENTITY_TAG = Pattern.compile("\"[^\"]*\"");

    private final int status;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final byte[] body;
    private final @Nullable String tag;
    private @Nullable StreamStart stream;

    /** Whether clients that accept gzip get these bytes as gzip. A cache then keeps two answers. */
    private final boolean compressed;

    /** The answer of one request as its container has it, for what the servlet API lacks. */
    public interface Container {

        /**
         * Sets the Content-Type to exactly this. Clients of the older service know a space before
         * {@code charset}, which the servlet API would drop.
         */
        void setContentType(String type);

        /**
         * Runs what writes the body, and keeps the connection of HTTP/1.1 after a 400. Containers
         * close it, because their own 400 means that they do not understand the bytes.
         */
        void keepingConnection(BodyWriter answer) throws IOException;

        /**
         * Closes the connection at once, so that no client takes a truncated answer for a complete
         * one.
         */
        void breakOff();
    }

    /** Begins the body of an answer whose status and headers are set. */
    @FunctionalInterface
    public interface StreamStart {

        /** Begins the body, which ends after this call; a failure ends it at once. */
        void begin(HttpServletRequest request, HttpServletResponse response) throws IOException;
    }

    /** Writes the body of an answer, which is then complete. */
    public interface BodyWriter {
        void write() throws IOException;
    }

    private HttpAnswer(int status, byte[] body) {
        this(status, body, null, body.length >= GzipAnswer.LEAST_BYTES);
    }

    private HttpAnswer(int status, byte[] body, @Nullable String tag, boolean compressed) {
        this.status = status;
        this.body = body;
        this.tag = tag;
        this.compressed = compressed;
        header("Cache-Control", "no-store");
    }

    /** 200 with this value as JSON, see {@link Json}. */
    public static HttpAnswer json(Object value) {
        return ofJson(Json.bytes(value));
    }

    /** 200 with this JSON; the caller must not change the array afterwards. */
    public static HttpAnswer ofJson(byte[] json) {
        return ofJson(json, null);
    }

    /**
     * As {@link #ofJson(byte[])}, with a known {@link #entityTag}.
     *
     * @param tag null to compute it from the bytes
     */
    public static HttpAnswer ofJson(byte[] json, @Nullable String tag) {
        return new HttpAnswer(200, json, tag, json.length >= GzipAnswer.LEAST_BYTES)
                .header("Content-Type", "application/json; charset=utf-8");
    }

    /** 201 with this value as JSON. */
    public static HttpAnswer created(Object value) {
        return new HttpAnswer(201, Json.bytes(value))
                .header("Content-Type", "application/json; charset=utf-8");
    }

    /** 202 with this value as JSON; {@code Location} is the URL of the accepted work. */
    public static HttpAnswer accepted(String location, Object value) {
        return new HttpAnswer(202, Json.bytes(value))
                .header("Content-Type", "application/json; charset=utf-8")
                .header("Location", location);
    }

    /**
     * 200 with a body that another thread writes piece by piece.
     *
     * @param type Content-Type
     * @param start does not run for a {@code HEAD}
     */
    public static HttpAnswer stream(String type, StreamStart start) {
        var answer = new HttpAnswer(200, new byte[0]).header("Content-Type", type);
        answer.stream = start;
        return answer;
    }

    /** 200 with this text. */
    public static HttpAnswer text(String text) {
        return new HttpAnswer(200, text.getBytes(StandardCharsets.UTF_8))
                .header("Content-Type", "text/plain; charset=utf-8");
    }

    public static HttpAnswer problem(int status, Map<String, ?> body) {
        return new HttpAnswer(status, Json.bytes(body))
                .header("Content-Type", "application/problem+json");
    }

    /** Sets a header, in place of an earlier one of that name. */
    public HttpAnswer header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /**
     * Adds an {@code ETag}, the hash of the bytes, and returns this answer, or a 304 with the same
     * headers when the tag matches If-None-Match.
     */
    public HttpAnswer conditional(HttpServletRequest request) {
        header("ETag", tag == null ? entityTag(body) : tag);
        if (request.getHeader("If-None-Match") == null
                || !matches(Collections.list(request.getHeaders("If-None-Match")))) {
            return this;
        }
        var notModified = new HttpAnswer(304, new byte[0], null, compressed);
        headers.forEach(notModified::header);
        notModified.headers.remove("Content-Type");
        return notModified;
    }

    /**
     * Writes this answer, which is then complete, though not yet sent. A body of 1 KB or more is
     * sent as gzip to a client that accepts it; its entity tag is then weak.
     */
    public void writeTo(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setStatus(status);
        boolean gzip = compressed && GzipAnswer.isAccepted(request);
        headers.forEach(
                (name, value) -> {
                    if (name.equals("Content-Type")
                            && request.getAttribute(CONTAINER) instanceof Container container) {
                        container.setContentType(value);
                    } else if (name.equals("Vary")) {
                        response.addHeader(name, value); // beside those of filters
                    } else if (gzip && name.equals("ETag")) {
                        response.setHeader(name, "W/" + value); // of other bytes
                    } else {
                        response.setHeader(name, value);
                    }
                });
        if (compressed) {
            response.addHeader("Vary", "Accept-Encoding");
        }
        if (status == HttpServletResponse.SC_NOT_MODIFIED) {
            return;
        }
        if (stream != null) {
            if (!request.getMethod().equals("HEAD")) {
                stream.begin(request, response);
            }
            return;
        }
        if (status == HttpServletResponse.SC_BAD_REQUEST
                && request.getAttribute(CONTAINER) instanceof Container container) {
            container.keepingConnection(() -> writeBody(response, gzip));
        } else {
            writeBody(response, gzip);
        }
    }

    private void writeBody(HttpServletResponse response, boolean gzip) throws IOException {
        if (gzip) {
            GzipAnswer.of(body).writeTo(response);
        } else {
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }

    /** The {@code ETag} of an answer with these bytes. */
    public static String entityTag(byte[] body) {
        return '"' + ContentHash.of(body) + '"';
    }

    /** Weak comparison, as RFC 9110 requires for If-None-Match: the prefix W/ is ignored. */
    private boolean matches(List<String> ifNoneMatch) {
        @Nullable String own = headers.get("ETag");
        for (String value : ifNoneMatch) {
            if (value.strip().equals("*")) {
                return true;
            }
            Matcher tags = ENTITY_TAG.matcher(value);
            while (tags.find()) {
                if (tags.group().equals(own)) {
                    return true;
                }
            }
        }
        return false;
    }
}
