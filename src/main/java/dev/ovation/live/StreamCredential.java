package dev.ovation.live;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.credential.CredentialException;
import dev.ovation.credential.Credentials;
import dev.ovation.web.guard.IncomingCall;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

/** The credential of a stream, which outlives the check of its request. */
final class StreamCredential {

    private static final int BEARER = "Bearer ".length();

    private final Credentials credentials;
    private final @Nullable String text;

    private StreamCredential(Credentials credentials, @Nullable String text) {
        this.credentials = credentials;
        this.text = text;
    }

    /** The credential of a request that was accepted, if it has one. */
    static StreamCredential of(HttpServletRequest request, Credentials credentials) {
        return of(Principal.of(request), IncomingCall.of(request), credentials);
    }

    /**
     * The credential of a call that was accepted, if it has one.
     *
     * @param who caller of the call
     */
    static StreamCredential of(Principal who, IncomingCall call, Credentials credentials) {
        if (who.isEverybody()) {
            return new StreamCredential(credentials, null);
        }
        String key = call.header("X-Api-Key");
        String bearer = call.header("Authorization");
        return new StreamCredential(
                credentials,
                key != null || bearer == null ? key : bearer.substring(BEARER).strip());
    }

    /**
     * Returns whether it still allows to read a namespace for a user.
     *
     * @param user null for no user
     */
    boolean allows(String namespace, @Nullable String user) {
        if (text == null) {
            return true;
        }
        try {
            Principal who = credentials.resolve(text);
            return who.may(Scope.REACTIONS_READ)
                    && who.mayEnter(namespace)
                    && (user == null || who.mayActAs(user));
        } catch (CredentialException e) {
            return e.isUnavailable(); // it was accepted before
        }
    }
}
