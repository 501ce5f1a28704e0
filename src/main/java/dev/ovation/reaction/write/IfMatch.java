package dev.ovation.reaction.write;

import dev.ovation.reaction.view.EntityJson;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code If-Match}: a write applies only to a state of which the client has a {@code GET} by this
 * user, with or without details.
 *
 * @param any whether every state matches; a {@code GET} answers in each
 * @param tags the strong entity tags that the client has
 */
public record IfMatch(boolean any, Set<String> tags) {

    static final IfMatch ANY = new IfMatch(true, Set.of());

    private static final String TAG = "(?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\"";
    private static final Pattern LIST =
            Pattern.compile("[\\s,]*%1$s(?:\\s*,[\\s,]*%1$s)*+[\\s,]*".formatted(TAG));
    private static final Pattern STRONG = Pattern.compile("(W/)?(\"[^\"]*\")");

    /** Reads the header; without it every state matches. */
    public static IfMatch of(HttpServletRequest request, RequestViolations violations) {
        List<String> headers = Collections.list(request.getHeaders("If-Match"));
        String value = String.join(",", headers).strip();
        if (headers.isEmpty() || value.equals("*")) {
            return ANY;
        }
        if (!LIST.matcher(value).matches()) {
            violations.add("If-Match", "must be * or a list of entity tags");
        }
        return new IfMatch(false, strong(value));
    }

    /**
     * Returns the strong tags. RFC 9110 requires strong comparison for If-Match: weak tags match
     * nothing.
     */
    private static Set<String> strong(String list) {
        Set<String> tags = new HashSet<>();
        Matcher found = STRONG.matcher(list);
        while (found.find()) {
            if (found.group(1) == null) {
                tags.add(found.group(2));
            }
        }
        return tags;
    }

    /** Returns whether the client has the state of this view. */
    boolean holds(EntityView view) {
        return any
                || tags.contains(tag(view))
                || tags.contains(HttpAnswer.entityTag(view.json(false)));
    }

    /** Returns the tag of a {@code GET} with details. */
    public static String tag(EntityView view) {
        return HttpAnswer.entityTag(view.json(true));
    }

    /** Returns a 412 with the current state. */
    static ProblemException failed(EntityView view) {
        return Problems.preconditionFailed(EntityJson.detailed(view)).header("ETag", tag(view));
    }
}
