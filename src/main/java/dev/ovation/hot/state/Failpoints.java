package dev.ovation.hot.state;

/**
 * Named places between the steps of a change, at which a test can pause an instance, make it fail
 * or kill it. In production they do nothing.
 */
@FunctionalInterface
public interface Failpoints {

    /** Does nothing anywhere. */
    Failpoints NONE = _ -> {};

    /** The places, in the order in which a change reaches them. */
    enum Point {
        /** A loader has read its snapshot of Postgres. */
        AFTER_LOAD_READ,
        /** The loaded entity is about to be sent to Redis. */
        BEFORE_INSTALL,
        /** A run has answered; its events are not among the instance's own events yet. */
        AFTER_RUN,
        /** The write script has answered; its request has no verdict yet. */
        AFTER_SCRIPT,
        /** The relay has read outboxes and has not begun its transaction. */
        AFTER_READ,
        /** The relay is about to send its transaction as one call. */
        BEFORE_CALL,
        /** Within the relay's transaction of several statements, all of them done. */
        BEFORE_COMMIT,
        /** The transaction is committed; no waiter and no server has a message of it. */
        AFTER_COMMIT,
        /** Waiting requests have their verdicts; the commit is not acknowledged to Redis. */
        BEFORE_ACK
    }

    /**
     * Called on the thread that reaches a point.
     *
     * @throws RuntimeException in tests, in place of a real failure at that point
     */
    void reached(Point point);
}
