package dev.ovation.protocol;

/** The rules of the protocol; a world may be told to break one of them. */
public enum Rule {
    /** Scripts check the epoch of the caller. */
    FENCE_BY_EPOCH(2684),
    /** Scripts check that the server is the one that the caller attached to. */
    FENCE_BY_INCARNATION(125),
    /** The outbox must hold the very event that was applied last. */
    ANCHOR(117),
    /** An event rests on a version and on the op that made it. */
    CHAIN_BY_IDENTITY(43536),
    /** Who installs holds the lease. */
    LEASE_AT_INSTALL(265),
    /** Whenever an entity is removed, the lease to load it is void. */
    LEASE_VOIDED(5589),
    /** Nothing is installed over a change that is not committed. */
    DIRTY_STAYS(25397),
    /** XADD, which may be refused, comes before every other write. */
    XADD_FIRST(327),
    /** "Already there" and every refusal wait for what makes them so. */
    NO_OP_WAITS(12),
    /** An acknowledgement compares op, not version: two states may bear one number. */
    ACK_BY_OP(7),
    /** A cursor comes with the rejected events that it passed. */
    EXCEPTIONS_TRAVEL(49),
    /** A waiter of a closed epoch asks where it ended. */
    CLOSED_EPOCH_ASKS(2832),
    /** A rejection spares what was installed after it. */
    SINCE(184),
    /** A change is sent once, unless an answer proves that nothing changed. */
    SEND_ONCE(22),
    /** Nobody is told before the commit. */
    TELL_AFTER_COMMIT(7),
    /** An error at the commit completes nobody. */
    FAILED_COMMIT_TELLS_NOBODY(50),
    /** Whoever changes rows holds the row of their partition. */
    ROW_LOCK(69),
    /** A key that is taken makes an event a duplicate. */
    KEY_TAKEN_REJECTS(2187),
    /** An instance notices that Postgres stands behind what it knew to be committed. */
    LOSS_IS_NOTICED(4248),
    /** How far events were proposed is read before the outbox. */
    META_BEFORE_OUTBOX(3);

    /** Where to begin to look for a schedule that needs it: at the first one that did. */
    final long seed;

    Rule(long seed) {
        this.seed = seed;
    }
}
