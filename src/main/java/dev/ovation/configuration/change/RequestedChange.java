package dev.ovation.configuration.change;

import dev.ovation.access.Principal;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.EntityTags;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

/**
 * The conditions of a request to change the configuration.
 *
 * @param dryRun whether to report the change without making it
 * @param acceptLoss whether a namespace that holds reactions may vanish
 * @param expected the entity tags of the versions that may be in force before
 * @param principal name of the caller
 */
public record RequestedChange(
        boolean dryRun, boolean acceptLoss, EntityTags expected, String principal) {

    public static final String DRY_RUN = "dry_run";
    public static final String ACCEPT_LOSS = "accept_loss";

    /** Reads {@code dry_run}, {@code accept_loss} and {@code If-Match}. */
    public static RequestedChange of(
            HttpServletRequest request, QueryString query, RequestViolations violations) {
        return new RequestedChange(
                query.flag(DRY_RUN, false, violations),
                query.flag(ACCEPT_LOSS, false, violations),
                EntityTags.ifMatch(request, violations),
                Principal.of(request).getName());
    }

    /** Reads {@code If-Match} of a change that loses no namespace. */
    public static RequestedChange of(HttpServletRequest request, RequestViolations violations) {
        return new RequestedChange(
                false,
                false,
                EntityTags.ifMatch(request, violations),
                Principal.of(request).getName());
    }

    /** Returns the entity tag of a version. */
    public static String tag(long version) {
        return "\"" + version + "\"";
    }

    /**
     * Checks {@code If-Match}.
     *
     * @param version the version in force
     * @throws ProblemException 412 when the header names others only
     */
    public void check(long version) {
        if (!expected.match(tag(version))) {
            throw Problems.configurationChanged(version).header("ETag", tag(version));
        }
    }
}
