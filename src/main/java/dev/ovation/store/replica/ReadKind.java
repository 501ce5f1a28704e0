package dev.ovation.store.replica;

import java.util.Locale;

/** The reads that a replica may answer. */
public enum ReadKind {
    /** Lists of the reactors of an entity. */
    LIST,
    /** Reactors of entities among given users. */
    CROWD,
    /** Pages of exports. */
    EXPORT,
    /** Counts of the reactions of an entity. */
    AUDIT;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
