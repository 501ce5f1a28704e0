package dev.ovation.limit;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.function.Function;

/**
 * The caller of one call, whatever its protocol, with the costs of the call.
 *
 * @param charge null for a caller without a limit
 */
public record Caller(Principal who, @Nullable Charge charge) {

    /** Returns the caller of a request that passed the gate. */
    public static Caller of(HttpServletRequest request) {
        return new Caller(Principal.of(request), Charge.of(request));
    }

    /**
     * Checks a scope beside that of the call.
     *
     * @throws ProblemException 401 or 403 when the caller does not hold it
     */
    public void demand(Scope scope) {
        if (!who.may(scope)) {
            throw Problems.forbidden(who, scope);
        }
    }

    /** Charges as {@link Charge#user} does. */
    public void user(@Nullable String user) {
        entities("", 1, user);
    }

    /** Charges as {@link Charge#entities} does. */
    public void entities(String field, int entities, @Nullable String viewer) {
        if (charge != null) {
            charge.entities(field, entities, viewer);
        }
    }

    /** Charges as {@link Charge#pairs} does. */
    public void pairs(String field, int entities, int users) {
        if (charge != null) {
            charge.pairs(field, entities, users);
        }
    }

    /** Charges as {@link Charge#operations} does. */
    public <T> void operations(
            String field, int operations, Collection<T> allowed, Function<T, String> user) {
        if (charge != null) {
            charge.operations(field, operations, allowed, user);
        }
    }
}
