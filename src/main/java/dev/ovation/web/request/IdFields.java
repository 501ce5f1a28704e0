package dev.ovation.web.request;

import dev.ovation.access.Principal;
import dev.ovation.entity.Ids;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;

import org.jspecify.annotations.Nullable;

/**
 * Reads ids from the fields of a request. A namespace, an acting user and a viewer are returned
 * only after the check that the caller may name them.
 */
public final class IdFields {

    private IdFields() {}

    /**
     * Returns a namespace's id, or an empty string after noting why the value is none; notes a
     * refusal when the caller may not enter it.
     *
     * @param value null when the field is absent
     */
    public static String namespace(
            String field, @Nullable String value, Principal who, RequestViolations violations) {
        if (value == null) {
            violations.add(field, "is missing");
        } else if (!Ids.isNamespace(value)) {
            violations.add(field, "must be 1 to 64 letters, digits, dots, underscores or hyphens");
        } else {
            if (!who.mayEnter(value)) {
                violations.refuse(Problems.forbiddenNamespace(who, value));
            }
            return value;
        }
        return "";
    }

    /**
     * Records a refusal when the caller is restricted to some namespaces; the call concerns all.
     */
    public static void everyNamespace(Principal who, RequestViolations violations) {
        if (!who.mayEnterAll()) {
            violations.refuse(Problems.forbiddenNamespace(who, "*"));
        }
    }

    /**
     * Returns the id of a namespace without a check of its syntax.
     *
     * @param value null when the field is absent; then an empty string is returned
     * @throws ProblemException 401 or 403 when the caller may not enter it
     */
    public static String namespace(@Nullable String value, Principal who) {
        String namespace = value == null ? "" : value;
        if (!who.mayEnter(namespace)) {
            throw Problems.forbiddenNamespace(who, namespace);
        }
        return namespace;
    }

    /**
     * Returns the id of the acting user, or an empty string after recording a violation. The user
     * of a token may be left out; another user is noted as a refusal.
     *
     * @param value null when the field is absent
     */
    public static String actor(
            String field, @Nullable String value, Principal who, RequestViolations violations) {
        String own = who.user();
        if (own != null && (value == null || value.isEmpty())) {
            return own;
        }
        String user = id(field, value, violations);
        if (!user.isEmpty() && !who.mayActAs(user)) {
            violations.refuse(Problems.forbiddenUser(who, user));
        }
        return user;
    }

    /**
     * Checks that the request may act as a user whose id is well-formed.
     *
     * @throws ProblemException 401 or 403 when it may not
     */
    public static void actor(String user, Principal who) {
        if (!who.mayActAs(user)) {
            throw Problems.forbiddenUser(who, user);
        }
    }

    /**
     * Returns the id of the viewer, null for the view without a user. The user of a token is meant
     * where the field is absent, and no user where it is empty. As {@link #actor} otherwise.
     *
     * @param value null when the field is absent
     */
    public static @Nullable String viewer(
            String field, @Nullable String value, Principal who, RequestViolations violations) {
        if (value == null) {
            return who.user();
        }
        return value.isEmpty() ? null : actor(field, value, who, violations);
    }

    /**
     * Returns the id of an entity, a reaction or a user other than the caller, or an empty string
     * after adding a violation.
     *
     * @param value null when the field is absent
     */
    public static String id(String field, @Nullable String value, RequestViolations violations) {
        String violation = value == null ? "is missing" : Ids.problem(value);
        if (violation != null) {
            violations.add(field, violation);
        }
        return value == null || violation != null ? "" : value;
    }
}
