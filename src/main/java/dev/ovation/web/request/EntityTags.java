package dev.ovation.web.request;

import dev.ovation.web.problem.RequestViolations;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The entity tags of {@code If-Match}.
 *
 * @param any whether every state matches: the header is absent or {@code *}
 * @param tags the tags in their quotes, without the prefix of weak ones
 */
public record EntityTags(boolean any, Set<String> tags) {

    private static final String TAG = "(?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\"";
    private static final Pattern LIST =
            Pattern.compile("[\\s,]*%1$s(?:\\s*,[\\s,]*%1$s)*+[\\s,]*".formatted(TAG));
    private static final Pattern OPAQUE = Pattern.compile("\"[^\"]*\"");

    public EntityTags {
        tags = Set.copyOf(tags);
    }

    /** Reads {@code If-Match}; a header of another form is a violation. */
    public static EntityTags ifMatch(HttpServletRequest request, RequestViolations violations) {
        List<String> headers = Collections.list(request.getHeaders("If-Match"));
        String value = String.join(",", headers).strip();
        if (headers.isEmpty() || value.equals("*")) {
            return new EntityTags(true, Set.of());
        }
        if (!LIST.matcher(value).matches()) {
            violations.add("If-Match", "must be * or a list of entity tags");
        }
        return new EntityTags(false, opaque(value));
    }

    /** Returns whether a state with this tag matches. */
    public boolean match(String tag) {
        return any || tags.contains(tag);
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
}
