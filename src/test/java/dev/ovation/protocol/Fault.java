package dev.ovation.protocol;

/** Kinds of fault; each schedule has some of them. */
public enum Fault {
    /** A command does not reach Redis. */
    REQUEST_LOST,
    /** The sender times out, but the command may still be executed. */
    TIME_OUT,
    /** The command was executed, but the sender gets no reply. */
    REPLY_LOST,
    /** An instance does not receive a publication of another. */
    NEWS_LOST,
    /** Postgres does not answer a query. */
    QUERY_FAILS,
    /** A transaction ends without its changes. */
    COMMIT_FAILS,
    /** A transaction is committed, but its owner gets an error. */
    COMMIT_UNANSWERED,
    /** A session ends, and its locks with it. */
    SESSION_KILLED,
    /** A client stops waiting for its answer. */
    IMPATIENCE,
    /** An instance dies and another replaces it. */
    CRASH,
    /** An event that Postgres cannot store. */
    POISON,
    /** Redis evicts a clean key. */
    EVICTION,
    /** A key is removed by hand: a dirty one, meta, or the outbox. */
    KEY_LOST,
    /** A lease expires. */
    LEASE_ENDS,
    /** FLUSHALL. */
    FLUSH,
    /** Redis restarts with an older snapshot, or empty. */
    RESTART,
    /** Redis becomes another incarnation, with all its keys. */
    PROMOTION,
    /** Another Redis takes over, with a current or an older copy; instances switch one by one. */
    FAIL_OVER,
    /** Redis has no free memory for a while. */
    OUT_OF_MEMORY,
    /** Postgres restarts without its last commits. */
    POSTGRES_LOSES
}
