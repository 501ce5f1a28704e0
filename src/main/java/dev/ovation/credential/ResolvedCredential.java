package dev.ovation.credential;

import dev.ovation.access.Principal;

import java.time.Instant;

/**
 * The principal of a credential.
 *
 * @param until time at which the credential itself expires; {@link Instant#MAX} for never
 */
record ResolvedCredential(Principal principal, Instant until) {

    boolean hasEnded(Instant now) {
        return !now.isBefore(until);
    }
}
