package dev.ovation.access;

import java.util.Locale;

/** The requests that are counted together against a {@link Rate}. */
public enum Policy {
    /** Reads with one API key. */
    KEY_READS,
    /** Writes with one API key. */
    KEY_WRITES,
    /** Reads of one user: by a token, or by a key for this user. */
    USER_READS,
    /** Writes of one user: by a token, or by a key as this user. */
    USER_WRITES,
    /** Requests without a credential from one address. */
    ADDRESS,
    /** Erasures by one caller. */
    ERASURES;

    /** Returns the label in headers, problems and metrics, such as {@code user-writes}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
