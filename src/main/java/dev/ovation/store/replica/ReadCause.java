package dev.ovation.store.replica;

import java.util.Locale;

/** The reason why a read came from the primary. */
enum ReadCause {
    /** It shows what its caller has just changed. */
    OWN,
    /** The replica cannot be asked, or is older than the setting allows. */
    STALE,
    /** The replica lacks what the read must include. */
    BEHIND,
    /** The read from the replica failed. */
    FAILED,
    /** The primary must confirm the result of the replica. */
    UNSETTLED;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
