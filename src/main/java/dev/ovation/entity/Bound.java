package dev.ovation.entity;

/** A bound beyond which the service refuses a request instead of letting it wait. */
public enum Bound {
    /** Requests of a kind that are under way. */
    PERMITS,
    /** Questions that requests ask of Postgres. */
    GATE,
    /** Loads of entities from Postgres into Redis. */
    LOADS,
    /** Changes of a partition that wait for Postgres. */
    OUTBOX,
    /** The age of the oldest change that waits for Postgres, and the failures of the relay. */
    STUCK,
    /** The wait for a partition to be attached to Redis. */
    ATTACH;

    /** A failure at a bound. */
    public interface Reached {

        /** Which bound it was. */
        Bound bound();
    }
}
