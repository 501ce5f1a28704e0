package dev.ovation.reaction.write;

import dev.ovation.reaction.view.EntityJson;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code If-Match} and {@code if_version}: a write applies only to a state of which the client has
 * a {@code GET} by this user, with or without details.
 *
 * @param any whether every state matches the header; a {@code GET} answers in each
 * @param tags the entity tags that the client has, without the prefix of weak ones
 * @param version the version that the client has; null when the body names none
 */
public record IfMatch(boolean any, Set<String> tags, @Nullable String version) {

    static final IfMatch ANY = new IfMatch(true, Set.of(), null);

    private static final String TAG = "(?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\"";
    private static final Pattern LIST =
            Pattern.compile("[\\s,]*%1$s(?:\\s*,[\\s,]*%1$s)*+[\\s,]*".formatted(TAG));
    private static final Pattern OPAQUE = Pattern.compile("\"[^\"]*\"");

    /**
     * Reads the header; without it every state matches.
     *
     * @param version the member of the body; null for none
     */
    public static IfMatch of(
            HttpServletRequest request, @Nullable String version, RequestViolations violations) {
        List<String> headers = Collections.list(request.getHeaders("If-Match"));
        String value = String.join(",", headers).strip();
        if (headers.isEmpty() || value.equals("*")) {
            return version == null ? ANY : new IfMatch(true, Set.of(), version);
        }
        if (!LIST.matcher(value).matches()) {
            violations.add("If-Match", "must be * or a list of entity tags");
        }
        return new IfMatch(false, opaque(value), version);
    }

    /**
     * Returns the tags. RFC 9110 requires strong comparison for If-Match; here a weak tag counts as
     * its strong one, because a proxy that compresses weakens tags and leaves the state as it was.
     */
    private static Set<String> opaque(String list) {
        Set<String> tags = new HashSet<>();
        Matcher found = OPAQUE.matcher(list);
        while (found.find()) {
            tags.add(found.group());
        }
        return tags;
    }

    /** Returns whether the write applies to every state. */
    boolean isUnconditional() {
        return any && version == null;
    }

    /** Returns whether the client has the state of this view. */
    boolean holds(EntityView view) {
        return (version == null || version.equals(view.version())) && hasTag(view);
    }

    private boolean hasTag(EntityView view) {
        return any
                || tags.contains(tag(view))
                || tags.contains(HttpAnswer.entityTag(view.json(false)));
    }

    /** Returns the tag of a {@code GET} with details. */
    public static String tag(EntityView view) {
        return HttpAnswer.entityTag(view.json(true));
    }

    /** Returns a 412 with the current state. */
    ProblemException failed(EntityView view) {
        String names = version == null ? "If-Match" : any ? "if_version" : "If-Match or if_version";
        return Problems.preconditionFailed(names, EntityJson.detailed(view))
                .header("ETag", tag(view));
    }
}
