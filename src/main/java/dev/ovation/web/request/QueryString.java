package dev.ovation.web.request;

import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.RequestViolations;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parameters of a request's query, read from its raw bytes: strict about escapes and UTF-8,
 * lenient about characters that should have been escaped, since older clients escape nothing. The
 * container's own parameters are never asked for: they would take a form body for themselves.
 */
public final class QueryString implements TextFields {

    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> repeated = new ArrayList<>();
    private final @Nullable String repeatable;

    private QueryString(@Nullable String repeatable) {
        this.repeatable = repeatable;
    }

    /**
     * Reads all parameters.
     *
     * @throws ProblemException 400 when an escape is broken, the text is not UTF-8, or a parameter
     *     is given twice
     */
    public static QueryString of(HttpServletRequest request) {
        return parse(request.getQueryString(), null);
    }

    /**
     * Reads all parameters of a handler that knows these names. Others are ignored, unless the
     * client prefers strict handling.
     *
     * @throws ProblemException 400 as {@link #of(HttpServletRequest)}, and for each other parameter
     *     when the request has {@code Prefer: handling=strict}
     */
    public static QueryString of(HttpServletRequest request, String... known) {
        return of(request).known(request, known);
    }

    /**
     * Reads all parameters of a handler that knows these names, of which one may be repeated, see
     * {@link #repeated}.
     *
     * @throws ProblemException 400 as {@link #of(HttpServletRequest, String...)}
     */
    public static QueryString repeating(
            HttpServletRequest request, String repeatable, String... known) {
        return parse(request.getQueryString(), repeatable).known(request, known);
    }

    private QueryString known(HttpServletRequest request, String... known) {
        QueryString query = this;
        if (query.values.isEmpty()
                || !"strict".equalsIgnoreCase(Prefer.value(request, "handling"))) {
            return query;
        }
        var violations = new RequestViolations();
        for (String name : query.values.keySet()) {
            if (!List.of(known).contains(name)) {
                violations.add(name, "is not a parameter of this request");
            }
        }
        violations.throwIfAny();
        return query;
    }

    /**
     * Checks the query of a handler without parameters, as {@link #of(HttpServletRequest,
     * String...)}.
     */
    public static void none(HttpServletRequest request) {
        if (request.getQueryString() != null) {
            var _ = of(request, new String[0]);
        }
    }

    /** As {@link #of}, from the raw query: one char per byte, as the container hands it out. */
    static QueryString parse(@Nullable String raw) {
        return parse(raw, null);
    }

    private static QueryString parse(@Nullable String raw, @Nullable String repeatable) {
        var query = new QueryString(repeatable);
        if (raw != null) {
            var violations = new RequestViolations();
            for (String pair : raw.split("&", -1)) {
                if (!pair.isEmpty()) {
                    query.add(pair, violations);
                }
            }
            violations.throwIfAny();
        }
        return query;
    }

    /** The parameter's value, which may be empty, or null when it is not given. */
    @Override
    public @Nullable String text(String name) {
        return values.get(name);
    }

    /** The values of the parameter that may be repeated, in order. */
    public List<String> repeated() {
        return List.copyOf(repeated);
    }

    private void add(String pair, RequestViolations violations) {
        int equals = pair.indexOf('=');
        String name;
        try {
            name = decode(equals < 0 ? pair : pair.substring(0, equals));
        } catch (CharacterCodingException e) {
            violations.add("query", "has a parameter name that is not percent-encoded UTF-8");
            return;
        }
        try {
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            if (name.equals(repeatable)) {
                repeated.add(value);
            } else if (values.putIfAbsent(name, value) != null) {
                violations.add(name, "is given more than once");
            }
        } catch (CharacterCodingException e) {
            violations.add(name, "is not percent-encoded UTF-8");
        }
    }

    private static String decode(String raw) throws CharacterCodingException {
        if (isPlain(raw)) {
            return raw;
        }
        var bytes = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes.write(hex(raw, i + 1) << 4 | hex(raw, i + 2));
                i += 2;
            } else if (c > 0xff) {
                throw new CharacterCodingException();
            } else {
                bytes.write(c == '+' ? ' ' : c);
            }
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes.toByteArray()))
                .toString();
    }

    /** A loop, not a stream: each request comes through here six times. */
    private static boolean isPlain(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c >= 0x80 || c == '%' || c == '+') {
                return false;
            }
        }
        return true;
    }

    private static int hex(String raw, int at) throws CharacterCodingException {
        char c = at < raw.length() ? raw.charAt(at) : 0;
        int digit = c < 0x80 ? Character.digit(c, 16) : -1;
        if (digit < 0) {
            throw new CharacterCodingException();
        }
        return digit;
    }
}
