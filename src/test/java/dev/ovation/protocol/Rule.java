package dev.ovation.protocol;

/** The rules of the protocol; a world may break one of them. */
public enum Rule {
    /** Scripts check the epoch of the caller. */
    FENCE_BY_EPOCH(2684),
    /** Scripts check that the server is the one that the caller attached to. */
    FENCE_BY_INCARNATION(125),
    /** The outbox must contain exactly the event that was applied last. */
    ANCHOR(117),
    /** The base of an event is a version and the op that made it. */
    CHAIN_BY_IDENTITY(43536),
    /** An installation requires the lease. */
    LEASE_AT_INSTALL(265),
    /** The removal of an entity voids the lease to load it. */
    LEASE_VOIDED(5589),
    /** No installation overwrites an uncommitted change. */
    DIRTY_STAYS(25397),
    /** XADD, which may be refused, comes before every other write. */
    XADD_FIRST(327),
    /** "Already there" and every refusal wait for the commit of their reason. */
    NO_OP_WAITS(12),
    /** An acknowledgement compares op, not version: two states may have the same version. */
    ACK_BY_OP(7),
    /** A watermark update includes the rejected events below it. */
    EXCEPTIONS_TRAVEL(49),
    /** A waiter of a closed epoch queries where it ended. */
    CLOSED_EPOCH_ASKS(2832),
    /** A rejection keeps states that were installed after it. */
    SINCE(184),
    /** A change is sent once, unless an answer proves that nothing changed. */
    SEND_ONCE(22),
    /** No client is acknowledged before the commit. */
    ANSWER_AFTER_COMMIT(7),
    /** An error at the commit completes no request. */
    FAILED_COMMIT_ANSWERS_NO_REQUEST(50),
    /** Every change of rows locks the row of its partition. */
    ROW_LOCK(69),
    /** An event whose key is taken is a duplicate. */
    KEY_TAKEN_REJECTS(2187),
    /** An instance detects that Postgres is behind a commit that it has seen. */
    LOSS_IS_NOTICED(4248),
    /** The last proposed event is read before the outbox. */
    META_BEFORE_OUTBOX(3),
    /**
     * An acknowledgement trims only entries that follow the last acknowledged one without a gap.
     */
    ACK_WITHOUT_A_GAP(8697);

    /**
     * First seed of a search for a schedule that needs the rule; it is the first that was found.
     */
    final long seed;

    Rule(long seed) {
        this.seed = seed;
    }
}
