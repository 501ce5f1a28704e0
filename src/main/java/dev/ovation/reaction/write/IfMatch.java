package dev.ovation.reaction.write;

import dev.ovation.reaction.view.EntityJson;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.EntityTags;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.Set;

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

    /**
     * Reads the header; without it every state matches.
     *
     * @param version the member of the body; null for none
     */
    public static IfMatch of(
            HttpServletRequest request, @Nullable String version, RequestViolations violations) {
        EntityTags given = EntityTags.ifMatch(request, violations);
        return given.any() && version == null
                ? ANY
                : new IfMatch(given.any(), given.tags(), version);
    }

    /** Returns the condition of a call without headers. */
    public static IfMatch version(@Nullable String version) {
        return version == null ? ANY : new IfMatch(true, Set.of(), version);
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
