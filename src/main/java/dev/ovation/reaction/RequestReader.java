package dev.ovation.reaction;

import dev.ovation.web.IdFields;
import dev.ovation.web.JsonBody;
import dev.ovation.web.QueryString;
import dev.ovation.web.Violations;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads requests; whatever is wrong with one is a 400 that names all of it. */
final class RequestReader {

    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    private final long maxBody;

    /** What {@code GET /reactions} asks for. */
    record Read(String namespace, String entity, @Nullable String user, boolean details) {}

    /**
     * A reader of bodies of so many bytes at most.
     *
     * @param maxBody in bytes
     */
    RequestReader(long maxBody) {
        this.maxBody = maxBody;
    }

    Read read(HttpServletRequest request) {
        QueryString query = QueryString.of(request);
        var violations = new Violations();
        String namespace =
                IdFields.namespace("namespace_id", query.text("namespace_id"), violations);
        String entity = IdFields.id("entity_id", query.text("entity_id"), violations);
        String user = viewer(query, violations);
        boolean details = query.flag("details", false, violations);
        violations.throwIfAny();
        return new Read(namespace, entity, user, details);
    }

    /** A {@code POST}: the body has the ids, the query how to go about it. */
    Command add(HttpServletRequest request) throws IOException {
        QueryString query = QueryString.of(request);
        JsonBody body = JsonBody.read(request, maxBody);
        var violations = new Violations();
        boolean force = query.flag("force", false, violations);
        boolean existingIsFine = existingIsFine(query, violations);
        return command(
                Command.Kind.ADD,
                name -> body.text(name, violations),
                force,
                existingIsFine,
                request,
                violations);
    }

    /** A {@code DELETE}: the ids are in the body, in the query, or in both alike. */
    Command remove(HttpServletRequest request) throws IOException {
        QueryString query = QueryString.of(request);
        JsonBody body = JsonBody.readIfAny(request, maxBody);
        var violations = new Violations();
        return command(
                Command.Kind.REMOVE,
                name -> either(name, query, body, violations),
                false,
                false,
                request,
                violations);
    }

    /** Where the ids of a write are taken from; null for one that is not given. */
    private interface Source {
        @Nullable String text(String name);
    }

    private static Command command(
            Command.Kind kind,
            Source source,
            boolean force,
            boolean existingIsFine,
            HttpServletRequest request,
            Violations violations) {
        String namespace =
                IdFields.namespace("namespace_id", source.text("namespace_id"), violations);
        String entity = IdFields.id("entity_id", source.text("entity_id"), violations);
        String user = IdFields.id("user_id", source.text("user_id"), violations);
        String reaction = IdFields.id("reaction_id", source.text("reaction_id"), violations);
        String value = keyValue(request, violations);
        violations.throwIfAny();
        IdempotencyKey key =
                value == null
                        ? null
                        : new IdempotencyKey(
                                value,
                                hash(
                                        kind,
                                        namespace,
                                        entity,
                                        user,
                                        reaction,
                                        force,
                                        existingIsFine));
        return new Command(kind, namespace, entity, user, reaction, force, existingIsFine, key);
    }

    private static @Nullable String viewer(QueryString query, Violations violations) {
        String viewer = query.nonEmpty("viewer_id");
        String user = query.nonEmpty("user_id");
        if (viewer != null && user != null && !viewer.equals(user)) {
            violations.add("viewer_id", "differs from user_id, which means the same");
        }
        if (viewer != null) {
            IdFields.id("viewer_id", viewer, violations);
        }
        if (user != null) {
            IdFields.id("user_id", user, violations);
        }
        return viewer != null ? viewer : user;
    }

    private static boolean existingIsFine(QueryString query, Violations violations) {
        String value = query.text("if_exists");
        if (value != null && !value.equals("ok") && !value.equals("error")) {
            violations.add("if_exists", "must be ok or error");
        }
        return "ok".equals(value);
    }

    private static @Nullable String either(
            String name, QueryString query, @Nullable JsonBody body, Violations violations) {
        String fromQuery = name.equals("user_id") ? query.nonEmpty(name) : query.text(name);
        String fromBody = body == null ? null : body.text(name, violations);
        if (fromQuery != null && fromBody != null && !fromQuery.equals(fromBody)) {
            violations.add(name, "differs between the body and the query");
        }
        return fromBody != null ? fromBody : fromQuery;
    }

    private static @Nullable String keyValue(HttpServletRequest request, Violations violations) {
        List<String> values = Collections.list(request.getHeaders("Idempotency-Key"));
        if (values.isEmpty()) {
            return null;
        }
        String value = values.getFirst().strip();
        if (values.size() > 1 || !KEY.matcher(value).matches()) {
            violations.add("Idempotency-Key", "must be one of 1 to 255 visible ASCII characters");
        }
        return value;
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
