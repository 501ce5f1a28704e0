package dev.ovation.credential;

/** A credential that cannot be accepted; the message names the cause and quotes no part of it. */
public final class CredentialException extends Exception {

    private final boolean unavailable;

    private CredentialException(String message, boolean unavailable) {
        super(message, null, false, false);
        this.unavailable = unavailable;
    }

    static CredentialException invalid(String message) {
        return new CredentialException(message, false);
    }

    static CredentialException unavailable(String message) {
        return new CredentialException(message, true);
    }

    /** Returns whether the credential cannot be judged now; otherwise it is wrong. */
    public boolean isUnavailable() {
        return unavailable;
    }
}
