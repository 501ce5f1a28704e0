package dev.ovation.entity;

/** A bound beyond which the service refuses a request instead of letting it wait. */
public enum Bound {
    /** Requests of one kind in flight. */
    PERMITS,
    /** Queries of Postgres by requests. */
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

        /** Returns the bound. */
        Bound bound();
    }
}
