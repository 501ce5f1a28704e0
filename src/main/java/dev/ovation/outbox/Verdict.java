package dev.ovation.outbox;

/** What became of an event. */
public enum Verdict {
    /** Committed in Postgres. */
    COMMITTED,
    /** Not applied, and it never will be. */
    NOT_APPLIED,
    /** Not known, and it may still be applied. */
    UNKNOWN
}
