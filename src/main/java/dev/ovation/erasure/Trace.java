package dev.ovation.erasure;

/** What stays of removed reactions. */
enum Trace {
    /** Nothing. */
    NONE,
    /** The time of the removal, so that no import brings them back. */
    REMOVAL,
    /** The time of the removal, and the reactions themselves, out of sight. */
    HIDDEN
}
