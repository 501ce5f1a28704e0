package dev.ovation.protocol;

/** The rules of the protocol; a world may be told to break one of them. */
public enum Rule {
    /** Scripts check the epoch of the caller. */
    FENCE_BY_EPOCH,
    /** Scripts check that the server is the one that the caller attached to. */
    FENCE_BY_INCARNATION,
    /** The outbox must hold the very event that was applied last. */
    ANCHOR,
    /** An event rests on a version and on the op that made it. */
    CHAIN_BY_IDENTITY,
    /** Who installs holds the lease. */
    LEASE_AT_INSTALL,
    /** Whenever an entity is removed, the lease to load it is void. */
    LEASE_VOIDED,
    /** Nothing is installed over a change that is not committed. */
    DIRTY_STAYS,
    /** XADD, which may be refused, comes before every other write. */
    XADD_FIRST,
    /** "Already there" and every refusal wait for what makes them so. */
    NO_OP_WAITS,
    /** An acknowledgement compares op, not version: two states may bear one number. */
    ACK_BY_OP,
    /** An acknowledgement reaches as far as the events that it names. */
    ACK_COVERS_WHAT_WAS_SEEN,
    /** A cursor comes with the rejected events that it passed. */
    EXCEPTIONS_TRAVEL,
    /** An epoch is opened at most once. */
    OPEN_ONCE,
    /** A waiter of a closed epoch asks where it ended. */
    CLOSED_EPOCH_ASKS,
    /** A rejection spares what was installed after it. */
    SINCE,
    /** A change is sent once, unless an answer proves that nothing changed. */
    SEND_ONCE,
    /** Nobody is told before the commit. */
    TELL_AFTER_COMMIT,
    /** An error at the commit completes nobody. */
    FAILED_COMMIT_TELLS_NOBODY,
    /** Whoever changes rows holds the row of their partition. */
    ROW_LOCK,
    /** A key that is taken makes an event a duplicate. */
    KEY_TAKEN_REJECTS,
    /** An instance notices that Postgres stands behind what it knew to be committed. */
    LOSS_IS_NOTICED,
    /** How far events were proposed is read before the outbox. */
    META_BEFORE_OUTBOX
}
