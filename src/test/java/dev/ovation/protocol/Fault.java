package dev.ovation.protocol;

/** What may go wrong; each schedule has some of them. */
public enum Fault {
    /** A command does not reach Redis. */
    REQUEST_LOST,
    /** Its sender no longer waits, but the command may still come to pass. */
    TIME_OUT,
    /** It came to pass, but the sender does not hear. */
    REPLY_LOST,
    /** An instance does not hear what another publishes. */
    NEWS_LOST,
    /** Postgres does not answer a question. */
    QUERY_FAILS,
    /** A transaction ends without its changes. */
    COMMIT_FAILS,
    /** A transaction is committed, but its owner hears of an error. */
    COMMIT_UNANSWERED,
    /** A session is ended with what it has locked. */
    SESSION_KILLED,
    /** A client no longer waits for its answer. */
    IMPATIENCE,
    /** An instance dies and another takes its place. */
    CRASH,
    /** An event that Postgres cannot store. */
    POISON,
    /** Redis evicts a clean key. */
    EVICTION,
    /** Somebody removes a key by hand: a dirty one, meta, or the outbox. */
    KEY_LOST,
    /** A lease ends by its TTL. */
    LEASE_ENDS,
    /** FLUSHALL. */
    FLUSH,
    /** Redis comes back with what it once saved, or with nothing. */
    RESTART,
    /** Redis is another incarnation, with all its keys. */
    PROMOTION,
    /** Another Redis takes over, a copy of what was or is; instances move one by one. */
    FAIL_OVER,
    /** Redis has no more room for a while. */
    OUT_OF_MEMORY,
    /** Postgres comes back without its last commits. */
    POSTGRES_LOSES
}
