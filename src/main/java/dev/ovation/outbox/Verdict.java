package dev.ovation.outbox;

/** Result of one event. */
public enum Verdict {
    /** Committed in Postgres. */
    COMMITTED,
    /** Not applied, and it never will be. */
    NOT_APPLIED,
    /** Not known: the event may still be applied. */
    UNKNOWN
}
